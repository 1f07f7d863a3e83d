// Package controller lets another package make the mutate functions of objects
// that it gets from there.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/writers/mutate_function_for_each_object/manifests"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// MutateFunctionMadeForEachSortedObject walks over desired objects of another
// package, which sorts what it ranges over.
type MutateFunctionMadeForEachSortedObject struct {
	client.Client
}

func (r *MutateFunctionMadeForEachSortedObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, desired := range manifests.BuildSorted(&thing) {
		existing := desired.DeepCopyObject().(client.Object)
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, existing, manifests.MutateSorted(existing, desired)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// MutateFunctionMadeForEachDesiredObject walks over desired objects of another
// package and lets package manifests make the mutate function for each.
type MutateFunctionMadeForEachDesiredObject struct {
	client.Client
}

func (r *MutateFunctionMadeForEachDesiredObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
