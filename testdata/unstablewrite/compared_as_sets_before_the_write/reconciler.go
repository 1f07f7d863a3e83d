// Package controller takes over a list in map order, but only if it differs from
// the stored one as a set.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/util/sets"
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
	names := make([]string, 0, len(thing.Spec.Config))
	for name := range thing.Spec.Config {
		names = append(names, name)
	}
	if sets.New(thing.Status.Members...).Equal(sets.New(names...)) {
		return ctrl.Result{}, nil
	}
	thing.Status.Members = names
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
