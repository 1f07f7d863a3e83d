// Package controller writes what other packages build.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/callees/another_package/naming"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/callees/another_package/resources"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/callees/another_package/workload"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// EnvOrderFromAMapInAnotherPackage writes what package resources builds; the
// map is ranged over there.
type EnvOrderFromAMapInAnotherPackage struct {
	client.Client
}

func (r *EnvOrderFromAMapInAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	desired := resources.Deployment(&thing) // want "unstablewrite: .*Deployment"
	current := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(desired), current); err != nil {
		return ctrl.Result{}, err
	}
	current.Spec = desired.Spec
	return ctrl.Result{}, r.Update(ctx, current)
}

// TimeHiddenInCommonLabelsOfAnotherPackage sets the labels that package naming
// gives to everything; one of them is the time.
type TimeHiddenInCommonLabelsOfAnotherPackage struct {
	client.Client
}

func (r *TimeHiddenInCommonLabelsOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Labels = naming.Labels(thing.Name) // want "unstablewrite: .*Deployment"
		deploy.Spec.Replicas = thing.Spec.Replicas
		return nil
	})
	return ctrl.Result{}, err
}

// EnvOrderFromTwoPackagesAway updates what package workload builds with what
// package envs ranges over.
type EnvOrderFromTwoPackagesAway struct {
	client.Client
}

func (r *EnvOrderFromTwoPackagesAway) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
