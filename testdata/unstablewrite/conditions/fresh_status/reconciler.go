// Package controller computes a whole new status and sets a condition in it.
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

// NewStatusStartsFromTheOldConditions computes a new status that takes over the
// old conditions, so that SetStatusCondition finds the old times.
type NewStatusStartsFromTheOldConditions struct {
	client.Client
}

func (r *NewStatusStartsFromTheOldConditions) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// ConditionsSetInAFreshStatus computes a whole new status and forgets to start
// from the old conditions.
type ConditionsSetInAFreshStatus struct {
	client.Client
}

func (r *ConditionsSetInAFreshStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	thing.Status = computeStatus(&thing)
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

func computeStatus(thing *thingapi.Thing) thingapi.ThingStatus {
	status := thingapi.ThingStatus{ObservedGeneration: thing.Generation, Phase: "Running"}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{ // want "unstablewrite: .*Thing"
		Type:               "Available",
		Status:             metav1.ConditionTrue,
		Reason:             "Running",
		ObservedGeneration: thing.Generation,
	})
	return status
}
