// Package controller reconciles objects by AsReconciler and sorts.
package controller

import (
	"context"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	base := thing.DeepCopy()
	members := slices.AppendSeq([]string{thing.Name}, maps.Keys(thing.Spec.Labels))
	slices.Sort(members)
	thing.Status.Members = slices.Compact(members)
	return ctrl.Result{}, r.Status().Patch(ctx, thing, client.MergeFrom(base))
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}
