// Package controller reconciles objects instead of requests.
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

// ObjectReconcilerThatSorts reconciles objects by AsReconciler and sorts.
type ObjectReconcilerThatSorts struct {
	client.Client
}

func (r *ObjectReconcilerThatSorts) Reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	base := thing.DeepCopy()
	members := slices.AppendSeq([]string{thing.Name}, maps.Keys(thing.Spec.Labels))
	slices.Sort(members)
	thing.Status.Members = slices.Compact(members)
	return ctrl.Result{}, r.Status().Patch(ctx, thing, client.MergeFrom(base))
}

func (r *ObjectReconcilerThatSorts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}

// ObjectReconcilerAdapted reconciles objects instead of requests, by
// AsReconciler.
type ObjectReconcilerAdapted struct {
	client.Client
}

func (r *ObjectReconcilerAdapted) Reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	members := make([]string, 0, len(thing.Spec.Labels))
	for name := range thing.Spec.Labels { // want "unstablewrite: map order .*Thing"
		members = append(members, name)
	}
	base := thing.DeepCopy()
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Patch(ctx, thing, client.MergeFrom(base))
}

func (r *ObjectReconcilerAdapted) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(reconcile.AsReconciler(mgr.GetClient(), r))
}
