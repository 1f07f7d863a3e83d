// Package controller computes a new status that takes over the old conditions,
// so that SetStatusCondition finds the old times.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
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
	status := thingapi.ThingStatus{
		ObservedGeneration: thing.Generation,
		Conditions:         slices.Clone(thing.Status.Conditions),
	}
	markReady(&status)
	thing.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func markReady(status *thingapi.ThingStatus) {
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type:   "Ready",
		Status: metav1.ConditionTrue,
		Reason: "Ready",
	})
}
