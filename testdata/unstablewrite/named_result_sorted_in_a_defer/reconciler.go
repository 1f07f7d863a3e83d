// Package controller sorts a named result in a deferred function.
package controller

import (
	"context"
	"sort"

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
	thing.Status.Members = members(&thing)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func members(thing *thingapi.Thing) (names []string) {
	defer func() { sort.Strings(names) }()
	for name := range thing.Spec.Config {
		names = append(names, name)
	}
	return names
}
