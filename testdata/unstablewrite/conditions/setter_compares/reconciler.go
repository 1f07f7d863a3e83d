// Package controller compares the old condition with the new one before it
// takes the new time, or for nothing.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// SetterComparesPreviousAndNext upserts conditions: the next one takes the time
// of the previous one unless they differ.
type SetterComparesPreviousAndNext struct {
	client.Client
}

func (r *SetterComparesPreviousAndNext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := thing.DeepCopy().Status.Conditions
	next = upsert(next, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"})
	next = upsert(next, metav1.Condition{Type: "Synced", Status: metav1.ConditionTrue, Reason: "Up"})
	thing.Status.Conditions = next
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func upsert(existing []metav1.Condition, next metav1.Condition) []metav1.Condition {
	for i := range existing {
		if existing[i].Type != next.Type {
			continue
		}
		prev := existing[i]
		if prev.Status == next.Status && prev.Reason == next.Reason {
			next.LastTransitionTime = prev.LastTransitionTime
		} else {
			next.LastTransitionTime = metav1.Now()
		}
		existing[i] = next
		return existing
	}
	next.LastTransitionTime = metav1.Now()
	return append(existing, next)
}

// SetterReplacesOnlyWhatDiffers stamps every new condition, but puts it in
// place of the old one only if something besides the time differs.
type SetterReplacesOnlyWhatDiffers struct {
	client.Client
}

func (r *SetterReplacesOnlyWhatDiffers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.setCondition(&thing, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", Message: "up"})
	r.setCondition(&thing, metav1.Condition{Type: "Progressing", Status: metav1.ConditionFalse, Reason: "Done"})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *SetterReplacesOnlyWhatDiffers) setCondition(thing *thingapi.Thing, c metav1.Condition) {
	c.LastTransitionTime = metav1.Now()
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type != c.Type {
			continue
		}
		if thing.Status.Conditions[i].Status != c.Status ||
			thing.Status.Conditions[i].Reason != c.Reason ||
			thing.Status.Conditions[i].Message != c.Message {
			thing.Status.Conditions[i] = c
		}
		return
	}
	thing.Status.Conditions = append(thing.Status.Conditions, c)
}

// SetterUpdatesFieldsButTheTime takes over reason and message of a condition
// whose status is the same, and the whole of one whose status is new.
type SetterUpdatesFieldsButTheTime struct {
	client.Client
}

func (r *SetterUpdatesFieldsButTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := part.DeepCopy()
	setCondition(&part.Status.Conditions, metav1.Condition{
		Type:               "Mounted",
		Status:             metav1.ConditionTrue,
		Reason:             "Bound",
		LastTransitionTime: metav1.Now(),
	})
	return ctrl.Result{}, r.Status().Patch(ctx, &part, client.MergeFrom(base))
}

func setCondition(all *[]metav1.Condition, c metav1.Condition) {
	for i, old := range *all {
		if old.Type == c.Type {
			if old.Status != c.Status {
				(*all)[i] = c
			} else {
				(*all)[i].Reason = c.Reason
				(*all)[i].Message = c.Message
			}
			return
		}
	}
	*all = append(*all, c)
}

// SetterReportsWhetherAnythingChanged stamps a condition that differs from the
// stored one, and writes only then.
type SetterReportsWhetherAnythingChanged struct {
	client.Client
}

func (r *SetterReportsWhetherAnythingChanged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Probed", Message: "answers"}
	if !changeCondition(&part.Status.Conditions, ready) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, &part)
}

func changeCondition(all *[]metav1.Condition, c metav1.Condition) bool {
	old := meta.FindStatusCondition(*all, c.Type)
	if old != nil && old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message {
		return false
	}
	c.LastTransitionTime = metav1.Now()
	if old == nil {
		*all = append(*all, c)
	} else {
		*old = c
	}
	return true
}

// SetterComparesReasonsButStampsAnyway compares the old and the new condition
// for a log line only.
type SetterComparesReasonsButStampsAnyway struct {
	client.Client
}

func (r *SetterComparesReasonsButStampsAnyway) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"}
	condition.LastTransitionTime = metav1.Now() // want "unstablewrite: .*Now .*Thing"
	var others []metav1.Condition
	for _, old := range thing.Status.Conditions {
		if old.Type != condition.Type {
			others = append(others, old)
			continue
		}
		if old.Reason != condition.Reason {
			log.FromContext(ctx).Info("condition changes", "from", old.Reason, "to", condition.Reason)
		}
	}
	thing.Status.Conditions = append(others, condition)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
