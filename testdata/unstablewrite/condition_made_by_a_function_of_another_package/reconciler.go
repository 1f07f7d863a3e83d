// Package controller appends a condition that a function of another package
// returns, stamped.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/condition_made_by_a_function_of_another_package/conditions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	r.setStatus(&thing)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *Reconciler) setStatus(thing *thingapi.Thing) {
	thing.Status.Phase = "Ready"
	thing.Status.Conditions = []metav1.Condition{conditions.True("Ready", thing.Generation)} // want "unstablewrite: .*Thing"
}
