// Package controller lets another package restart a Deployment.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/restart_of_another_package/rollout"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// RestartOfAnotherPackageCalledOnAChange lets another package restart the
// Deployment, when a new version is wished.
type RestartOfAnotherPackageCalledOnAChange struct {
	client.Client
}

func (r *RestartOfAnotherPackageCalledOnAChange) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.Phase != thing.Spec.Image {
		if err := rollout.Restart(ctx, r.Client, req.NamespacedName); err != nil {
			return ctrl.Result{}, err
		}
		thing.Status.Phase = thing.Spec.Image
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// RestartOfAnotherPackageCalledEachTime lets another package restart the
// Deployment on each pass.
type RestartOfAnotherPackageCalledEachTime struct {
	client.Client
}

func (r *RestartOfAnotherPackageCalledEachTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
