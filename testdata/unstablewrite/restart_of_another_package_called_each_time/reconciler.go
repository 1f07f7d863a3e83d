// Package controller lets another package restart the Deployment on each pass.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/restart_of_another_package_called_each_time/rollout"
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
	if err := rollout.Restart(ctx, r.Client, req.NamespacedName); err != nil { // want "unstablewrite: .*Deployment"
		return ctrl.Result{}, err
	}
	thing.Status.Phase = thing.Spec.Image
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
