// Package controller looks for the stored condition first and stamps only what
// is new.
package controller

import (
	"context"
	"sort"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// SetterFindsTheConditionFirst looks for the condition, reads the clock, and
// uses what it read only for a condition that is new or changes.
type SetterFindsTheConditionFirst struct {
	client.Client
}

func (r *SetterFindsTheConditionFirst) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.updateCondition(ctx, thing, "Available", metav1.ConditionTrue, "MinimumReached")
}

func (r *SetterFindsTheConditionFirst) updateCondition(ctx context.Context, thing *thingapi.Thing, kind string, status metav1.ConditionStatus, reason string) error {
	var existing *metav1.Condition
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type == kind {
			existing = &thing.Status.Conditions[i]
			break
		}
	}
	now := metav1.NewTime(time.Now())
	if existing != nil {
		if existing.Status != status || existing.Reason != reason {
			existing.Status = status
			existing.Reason = reason
			existing.LastTransitionTime = now
		}
	} else {
		thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{
			Type: kind, Status: status, Reason: reason, LastTransitionTime: now,
		})
	}
	return r.Status().Update(ctx, thing)
}

// SetterOverwritesThroughAFoundPointer finds the condition with
// meta.FindStatusCondition and overwrites it, with the old time where the
// status is the same.
type SetterOverwritesThroughAFoundPointer struct {
	client.Client
}

func (r *SetterOverwritesThroughAFoundPointer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setStatusCondition(&thing.Status.Conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setStatusCondition(conditions *[]metav1.Condition, next metav1.Condition) bool {
	existing := meta.FindStatusCondition(*conditions, next.Type)
	if existing == nil {
		next.LastTransitionTime = metav1.NewTime(time.Now())
		*conditions = append(*conditions, next)
		return true
	}
	changed := existing.Status != next.Status
	if changed {
		next.LastTransitionTime = metav1.NewTime(time.Now())
	} else {
		next.LastTransitionTime = existing.LastTransitionTime
	}
	*existing = next
	return changed
}

// ConditionFilteredOutAndAppendedByTheUsualSetter sets a condition as
// Kubernetes' own controllers do: nothing happens unless status or reason
// changed, and the time is kept with the status.
type ConditionFilteredOutAndAppendedByTheUsualSetter struct {
	client.Client
}

func (r *ConditionFilteredOutAndAppendedByTheUsualSetter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setCondition(&thing.Status, *newCondition("Progressing", metav1.ConditionTrue, "Rollout"))
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func newCondition(kind string, status metav1.ConditionStatus, reason string) *metav1.Condition {
	return &metav1.Condition{Type: kind, Status: status, Reason: reason, LastTransitionTime: metav1.Now()}
}

func getCondition(status thingapi.ThingStatus, kind string) *metav1.Condition {
	for i := range status.Conditions {
		if c := status.Conditions[i]; c.Type == kind {
			return &c
		}
	}
	return nil
}

func setCondition(status *thingapi.ThingStatus, condition metav1.Condition) {
	current := getCondition(*status, condition.Type)
	if current != nil && current.Status == condition.Status && current.Reason == condition.Reason {
		return
	}
	if current != nil && current.Status == condition.Status {
		condition.LastTransitionTime = current.LastTransitionTime
	}
	var others []metav1.Condition
	for _, c := range status.Conditions {
		if c.Type != condition.Type {
			others = append(others, c)
		}
	}
	status.Conditions = append(others, condition)
}

// SetterReturnsASortedList replaces its conditions by what a function returns:
// the old ones by index, with a new time where the status changed, in order of
// type.
type SetterReturnsASortedList struct {
	client.Client
}

func (r *SetterReturnsASortedList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = withCondition(thing.Status.Conditions, "Ready", metav1.ConditionTrue)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func withCondition(conditions []metav1.Condition, kind string, status metav1.ConditionStatus) []metav1.Condition {
	index := -1
	for i, c := range conditions {
		if c.Type == kind {
			index = i
			break
		}
	}
	if index < 0 {
		conditions = append(conditions, metav1.Condition{Type: kind, Status: status, LastTransitionTime: metav1.Now()})
		sort.Slice(conditions, func(i, j int) bool { return conditions[i].Type < conditions[j].Type })
		return conditions
	}
	c := &conditions[index]
	if c.Status != status {
		c.LastTransitionTime = metav1.Now()
	}
	c.Status = status
	return conditions
}

// ConditionReplacedOnlyIfItsStatusChanged replaces a condition, with a new
// time, only if its status or reason changed.
type ConditionReplacedOnlyIfItsStatusChanged struct {
	client.Client
}

func (r *ConditionReplacedOnlyIfItsStatusChanged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := part.DeepCopy()
	status := metav1.ConditionFalse
	if part.Status.Ready {
		status = metav1.ConditionTrue
	}
	current := meta.FindStatusCondition(part.Status.Conditions, "Ready")
	if current == nil || current.Status != status || current.Reason != "Probed" {
		meta.RemoveStatusCondition(&part.Status.Conditions, "Ready")
		part.Status.Conditions = append(part.Status.Conditions, metav1.Condition{
			Type:               "Ready",
			Status:             status,
			Reason:             "Probed",
			LastTransitionTime: metav1.Now(),
		})
	}
	return ctrl.Result{}, r.Status().Patch(ctx, &part, client.MergeFrom(base))
}
