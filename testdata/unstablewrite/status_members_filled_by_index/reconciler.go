// Package controller fills a slice of the right length by a running index; the
// order is the map's all the same.
package controller

import (
	"context"

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
	members := make([]string, len(thing.Spec.Config))
	i := 0
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*Thing"
		members[i] = name
		i++
	}
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
