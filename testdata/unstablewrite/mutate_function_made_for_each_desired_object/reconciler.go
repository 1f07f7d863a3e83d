// Package controller walks over desired objects of another package and lets
// package manifests make the mutate function for each.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/mutate_function_made_for_each_desired_object/manifests"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, desired := range manifests.Build(&thing) { // want "unstablewrite: "
		existing := desired.DeepCopyObject().(client.Object)
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, existing, manifests.Mutate(existing, desired)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
