// Package controller reconciles objects instead of requests, by AsReconciler.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	members := make([]string, 0, len(thing.Spec.Labels))
	for name := range thing.Spec.Labels { // want "unstablewrite: map order .*Thing"
		members = append(members, name)
	}
	base := thing.DeepCopy()
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Patch(ctx, thing, client.MergeFrom(base))
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}
