// Package controller collects the keys of a map from the standard iterator and
// does not sort them.
package controller

import (
	"context"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	thing.Status.Members = slices.Collect(maps.Keys(thing.Spec.Config)) // want "unstablewrite: (map order|maps\\.Keys) .*Thing"
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}
