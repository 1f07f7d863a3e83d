// Package controller sorts copies of the old and the new list to compare them,
// and writes the unsorted one only if they differ.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	members := lo.Keys(thing.Spec.Config)
	if slices.Equal(sorted(members), sorted(thing.Status.Members)) {
		return ctrl.Result{}, nil
	}
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
