// Package controller fills a list in map order once, while it is empty.
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
	if len(thing.Status.Members) == 0 {
		for name := range thing.Spec.Config {
			thing.Status.Members = append(thing.Status.Members, name)
		}
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
