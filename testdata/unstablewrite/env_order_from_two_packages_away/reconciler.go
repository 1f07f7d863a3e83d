// Package controller updates what package workload builds with what package envs
// ranges over.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/env_order_from_two_packages_away/workload"
	appsv1 "k8s.io/api/apps/v1"
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
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	workload.Fill(&thing, &deploy.Spec.Template) // want "unstablewrite: .*Deployment"
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
