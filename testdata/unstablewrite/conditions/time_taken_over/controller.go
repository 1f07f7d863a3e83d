// Package controller makes a condition with the current time, and then takes over
// the time of the stored one.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// HelperTakesOverTheTime lets a helper take over the time while the status is the
// same.
type HelperTakesOverTheTime struct {
	client.Client
}

func (r *HelperTakesOverTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up", LastTransitionTime: metav1.Now()}
	takeOverTime(thing.Status.Conditions, &ready)
	thing.Status.Conditions = []metav1.Condition{ready}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func takeOverTime(olds []metav1.Condition, next *metav1.Condition) {
	old := meta.FindStatusCondition(olds, next.Type)
	if old != nil && old.Status == next.Status {
		next.LastTransitionTime = old.LastTransitionTime
	}
}

// HelperTakesOverTheMessage lets a helper take over the message alone.
type HelperTakesOverTheMessage struct {
	client.Client
}

func (r *HelperTakesOverTheMessage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	bound := metav1.Condition{Type: "Bound", Status: metav1.ConditionTrue, Reason: "Up", LastTransitionTime: metav1.Now()} // want "unstablewrite: .*Now reaches Part status.conditions"
	takeOverMessage(part.Status.Conditions, &bound)
	part.Status.Conditions = []metav1.Condition{bound}
	return ctrl.Result{}, r.Status().Update(ctx, &part)
}

func takeOverMessage(olds []metav1.Condition, next *metav1.Condition) {
	old := meta.FindStatusCondition(olds, next.Type)
	if old != nil && old.Status == next.Status {
		next.Message = old.Message
	}
}

// WholeStatusTakesOverTheTime computes a new status, and takes over a pointer to
// the old time while the phase is the same.
type WholeStatusTakesOverTheTime struct {
	client.Client
}

func (r *WholeStatusTakesOverTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := computeStatus(&thing)
	if thing.Status.Phase == next.Phase && thing.Status.LastSync != nil {
		next.LastSync = thing.Status.LastSync
	}
	thing.Status = next
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func computeStatus(thing *thingapi.Thing) thingapi.ThingStatus {
	now := metav1.Now()
	return thingapi.ThingStatus{Phase: "Ready", ObservedGeneration: thing.Generation, LastSync: &now}
}
