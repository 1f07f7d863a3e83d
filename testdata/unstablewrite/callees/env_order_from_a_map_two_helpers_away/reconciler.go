// Package controller updates the StatefulSet in one function, assembles it in
// another, and ranges over the map two helpers further down.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
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
	return ctrl.Result{}, r.reconcileStatefulSet(ctx, &thing)
}

func (r *Reconciler) reconcileStatefulSet(ctx context.Context, thing *thingapi.Thing) error {
	current := &appsv1.StatefulSet{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(thing), current); err != nil {
		return err
	}
	desired := statefulSetFor(thing)
	current.Spec.Template = desired.Spec.Template
	return r.Update(ctx, current)
}
