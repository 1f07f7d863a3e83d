// Package controller calls meta.SetStatusCondition, which keeps the time of a
// condition that it finds.
package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// SetStatusConditionKeepsTheTime hands a new time to SetStatusCondition, which
// keeps the old one while the status is the same.
type SetStatusConditionKeepsTheTime struct {
	client.Client
}

func (r *SetStatusConditionKeepsTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "Reconciled",
		ObservedGeneration: thing.Generation,
		LastTransitionTime: metav1.Now(),
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// TimeFilledInBeforeSetStatusCondition fills in a time before it calls
// meta.SetStatusCondition, which keeps the old one all the same.
type TimeFilledInBeforeSetStatusCondition struct {
	client.Client
}

func (r *TimeFilledInBeforeSetStatusCondition) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setCondition(&thing.Status.Conditions, metav1.Condition{Type: "Resolved", Status: metav1.ConditionTrue, Reason: "Found"})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setCondition(conditions *[]metav1.Condition, c metav1.Condition) {
	if c.LastTransitionTime.IsZero() {
		c.LastTransitionTime = metav1.Now()
	}
	meta.SetStatusCondition(conditions, c)
}

// ConditionsMadeWhereTheyAreNil makes an empty list of conditions where there
// is none yet, in a helper, and sets one. The old time is kept where there are
// conditions.
type ConditionsMadeWhereTheyAreNil struct {
	client.Client
}

func (r *ConditionsMadeWhereTheyAreNil) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setReady(&thing.Status)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setReady(status *thingapi.ThingStatus) {
	if status.Conditions == nil {
		status.Conditions = make([]metav1.Condition, 0)
	}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready"})
}

// TimeInTheMessageOfAKeptCondition uses SetStatusCondition, which keeps the
// transition time, but puts the time into the message, which is not kept.
type TimeInTheMessageOfAKeptCondition struct {
	client.Client
}

func (r *TimeInTheMessageOfAKeptCondition) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	message := fmt.Sprintf("last checked at %s", time.Now().Format(time.RFC3339)) // want "unstablewrite: time\\.Now .*Thing"
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type:    "Checked",
		Status:  metav1.ConditionTrue,
		Reason:  "Checked",
		Message: message,
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ConditionsEmptiedBeforeTheyAreSet empties the conditions first, so that
// SetStatusCondition finds no old time to keep.
type ConditionsEmptiedBeforeTheyAreSet struct {
	client.Client
}

func (r *ConditionsEmptiedBeforeTheyAreSet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = nil
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{ // want "unstablewrite: .*Thing"
		Type:   "Ready",
		Status: metav1.ConditionTrue,
		Reason: "Reconciled",
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
