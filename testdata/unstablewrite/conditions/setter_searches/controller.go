// Package controller adds a condition where a search finds none, or where the
// search asks for more than the condition's type.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// FlagSaysThatTheConditionIsThere looks for the condition, updates it on a
// change, and appends it if a flag says that it was not there.
type FlagSaysThatTheConditionIsThere struct {
	client.Client
}

func (r *FlagSaysThatTheConditionIsThere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	mark(&thing, "Ready", metav1.ConditionTrue)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func mark(thing *thingapi.Thing, kind string, status metav1.ConditionStatus) {
	found := false
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type == kind {
			found = true
			if thing.Status.Conditions[i].Status != status {
				thing.Status.Conditions[i].Status = status
				thing.Status.Conditions[i].LastTransitionTime = metav1.Now()
			}
		}
	}
	if !found {
		thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{
			Type: kind, Status: status, Reason: "Marked", LastTransitionTime: metav1.Now(),
		})
	}
}

// HelperSaysThatTheConditionIsThere appends a condition if a helper does not
// find it.
type HelperSaysThatTheConditionIsThere struct {
	client.Client
}

func (r *HelperSaysThatTheConditionIsThere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !hasCondition(thing.Status.Conditions, "Accepted") {
		thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{
			Type: "Accepted", Status: metav1.ConditionTrue, LastTransitionTime: metav1.Now(),
		})
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func hasCondition(conditions []metav1.Condition, kind string) bool {
	has := false
	for _, c := range conditions {
		if c.Type == kind {
			has = true
			break
		}
	}
	return has
}

// ListRebuiltWithTheOldTime copies the conditions into a new list, with one of
// them replaced, and keeps the time of the one that it replaces.
type ListRebuiltWithTheOldTime struct {
	client.Client
}

func (r *ListRebuiltWithTheOldTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := metav1.Condition{Type: "Bound", Status: metav1.ConditionTrue, LastTransitionTime: metav1.Now()}
	var conditions []metav1.Condition
	replaced := false
	for _, old := range part.Status.Conditions {
		if old.Type != next.Type {
			conditions = append(conditions, old)
			continue
		}
		if old.Status == next.Status {
			next.LastTransitionTime = old.LastTransitionTime
		}
		conditions = append(conditions, next)
		replaced = true
	}
	if !replaced {
		conditions = append(conditions, next)
	}
	part.Status.Conditions = conditions
	return ctrl.Result{}, r.Status().Update(ctx, &part)
}

// FlagSaysThatTheThingIsReady stamps the thing as long as none of its
// conditions says that it is ready.
type FlagSaysThatTheThingIsReady struct {
	client.Client
}

func (r *FlagSaysThatTheThingIsReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready := false
	for _, c := range thing.Status.Conditions {
		if c.Type == "Ready" && c.Status == metav1.ConditionTrue {
			ready = true
		}
	}
	if !ready {
		now := metav1.Now() // want "unstablewrite: .*Now reaches Thing status.lastSync"
		thing.Status.LastSync = &now
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// LeavesTheListThatHasTheCondition replaces the conditions, unless one of them is
// already what it wants.
type LeavesTheListThatHasTheCondition struct {
	client.Client
}

func (r *LeavesTheListThatHasTheCondition) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	settle(&thing)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func settle(thing *thingapi.Thing) {
	settled := metav1.Condition{Type: "Settled", Status: metav1.ConditionTrue, LastTransitionTime: metav1.Now()}
	wanted := []metav1.Condition{settled}
	for _, c := range thing.Status.Conditions {
		if c.Type == "Settled" && c.Status == metav1.ConditionTrue {
			return
		}
	}
	thing.Status.Conditions = wanted
}

// LeavesTheListThatHasAnotherCondition replaces the conditions, unless it finds one
// that it never sets.
type LeavesTheListThatHasAnotherCondition struct {
	client.Client
}

func (r *LeavesTheListThatHasAnotherCondition) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wait(&thing)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func wait(thing *thingapi.Thing) {
	waiting := metav1.Condition{
		Type: "Settled", Status: metav1.ConditionFalse,
		LastTransitionTime: metav1.Now(), // want "unstablewrite: metav1.Now reaches Thing status.conditions.lastTransitionTime"
	}
	wanted := []metav1.Condition{waiting}
	for _, c := range thing.Status.Conditions {
		if c.Type == "Settled" && c.Status == metav1.ConditionTrue {
			return
		}
	}
	thing.Status.Conditions = wanted
}
