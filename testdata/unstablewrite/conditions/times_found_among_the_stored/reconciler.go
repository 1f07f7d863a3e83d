// Package controller builds its conditions anew and takes their times from those
// that are stored.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// wanted returns the conditions of a thing without their times.
func wanted(thing *thingapi.Thing) []metav1.Condition {
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "Waiting"}
	if thing.Spec.Replicas != nil {
		ready.Status, ready.Reason = metav1.ConditionTrue, "Done"
	}
	return []metav1.Condition{ready, {Type: "Accepted", Status: metav1.ConditionTrue, Reason: "Valid"}}
}

// ByMap looks the stored condition up in a map.
type ByMap struct {
	client.Client
}

func (r *ByMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = merge(thing.Status.Conditions, wanted(thing))
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func merge(stored, next []metav1.Condition) []metav1.Condition {
	byType := make(map[string]metav1.Condition, len(stored))
	for _, c := range stored {
		byType[c.Type] = c
	}
	merged := make([]metav1.Condition, 0, len(next))
	for _, c := range next {
		if old, ok := byType[c.Type]; ok && old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		} else {
			c.LastTransitionTime = metav1.Now()
		}
		merged = append(merged, c)
	}
	return merged
}

// ByLoop looks at all stored conditions.
type ByLoop struct {
	client.Client
}

func (r *ByLoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var next []metav1.Condition
	for _, c := range wanted(thing) {
		since := metav1.Now()
		for _, old := range thing.Status.Conditions {
			if old.Type == c.Type && old.Status == c.Status {
				since = old.LastTransitionTime
			}
		}
		c.LastTransitionTime = since
		next = append(next, c)
	}
	thing.Status.Conditions = next
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// ByNothing counts what is stored and keeps none of its times.
type ByNothing struct {
	client.Client
}

func (r *ByNothing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var next []metav1.Condition
	for _, c := range wanted(thing) {
		c.LastTransitionTime = metav1.Now() // want "unstablewrite: .*Now reaches Thing status.conditions"
		for _, old := range thing.Status.Conditions {
			if old.Type == c.Type && old.Status == c.Status {
				c.Message = old.Message
			}
		}
		next = append(next, c)
	}
	thing.Status.Conditions = next
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// FoundOrNew takes a stored condition over as it is, and makes one where there is none.
type FoundOrNew struct {
	client.Client
}

func (r *FoundOrNew) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	begin(&thing.Status)
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func begin(status *thingapi.ThingStatus) {
	var stored *metav1.Condition
	for _, c := range status.Conditions {
		if c.Type == "Begun" {
			stored = c.DeepCopy()
		}
	}
	var begun metav1.Condition
	if stored != nil {
		begun = *stored
	} else {
		begun = newBegun()
	}
	status.Conditions = []metav1.Condition{begun}
}

func newBegun() metav1.Condition {
	return metav1.Condition{Type: "Begun", Status: metav1.ConditionTrue, LastTransitionTime: metav1.Now()}
}

// NewEachTime makes the condition each time.
type NewEachTime struct {
	client.Client
}

func (r *NewEachTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = []metav1.Condition{
		{Type: "Begun", Status: metav1.ConditionTrue, LastTransitionTime: metav1.Now()}, // want "unstablewrite: metav1\\.Now reaches Thing status\\.conditions"
	}
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}
