// Package controller appends to lists of objects that it has read while its work fails, or
// while a setting lasts.
package controller

import (
	"context"
	"errors"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const failed = "Failed"

func condition(reason string) metav1.Condition {
	return metav1.Condition{Type: failed, Status: metav1.ConditionTrue, Reason: reason}
}

// FailureAppended makes the list longer as long as its work fails.
type FailureAppended struct {
	client.Client
}

func (r *FailureAppended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	err := work(&thing)
	if err != nil {
		thing.Status.Conditions = append(thing.Status.Conditions, condition("Work")) // want "unstablewrite: append to the stored list reaches Thing status\\.conditions in Update"
	}
	return ctrl.Result{}, errors.Join(err, r.Status().Update(ctx, &thing))
}

func work(thing *thingapi.Thing) error {
	if thing.Name == "" {
		return errors.New("no name")
	}
	return nil
}

// ChildMissing notes the child that it then creates.
type ChildMissing struct {
	client.Client
}

func (r *ChildMissing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing, child thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, client.ObjectKey{Name: req.Name + "-child"}, &child); err != nil {
		thing.Status.Conditions = append(thing.Status.Conditions, condition("Child"))
		return ctrl.Result{}, r.Status().Update(ctx, &thing)
	}
	return ctrl.Result{}, nil
}

// FailureReplaced removes the condition before it adds one.
type FailureReplaced struct {
	client.Client
}

func (r *FailureReplaced) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta.RemoveStatusCondition(&thing.Status.Conditions, failed)
	thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{Type: failed, Status: metav1.ConditionFalse})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// SetterTells writes what its setter has changed, which is something each time.
type SetterTells struct {
	client.Client
}

func (r *SetterTells) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := thing.DeepCopy()
	if !set(&thing) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(before))
}

func set(thing *thingapi.Thing) bool {
	if thing.Status.Conditions == nil {
		thing.Status.Conditions = []metav1.Condition{}
	}
	return func() bool {
		thing.Status.Conditions = append(thing.Status.Conditions, condition("Set")) // want "unstablewrite: append to the stored list reaches Thing status\\.conditions in Patch"
		return true
	}()
}

// SetterLooks has a setter that looks first.
type SetterLooks struct {
	client.Client
}

func (r *SetterLooks) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := thing.DeepCopy()
	if !add(&thing) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(before))
}

func add(thing *thingapi.Thing) bool {
	if meta.FindStatusCondition(thing.Status.Conditions, failed) != nil {
		return false
	}
	thing.Status.Conditions = append(thing.Status.Conditions, condition("Added"))
	return true
}

// TwoAppended appends two conditions with a helper that does not look.
type TwoAppended struct {
	client.Client
}

func (r *TwoAppended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	note(&thing.Status.Conditions, "First")
	note(&thing.Status.Conditions, "Second")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func note(conditions *[]metav1.Condition, kind string) {
	*conditions = append(*conditions, metav1.Condition{Type: kind}) // want "unstablewrite: append to the stored list reaches Thing status\\.conditions in Update"
}

// TwoReplaced takes out what it then appends.
type TwoReplaced struct {
	client.Client
}

func (r *TwoReplaced) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = without(thing.Status.Conditions, "First")
	remark(&thing.Status.Conditions, "First")
	remark(&thing.Status.Conditions, "Second")
	thing.Status.Conditions = without(thing.Status.Conditions, "Second")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func remark(conditions *[]metav1.Condition, kind string) {
	*conditions = append(*conditions, metav1.Condition{Type: kind})
}

func without(conditions []metav1.Condition, kind string) []metav1.Condition {
	var others []metav1.Condition
	for _, c := range conditions {
		if c.Type != kind {
			others = append(others, c)
		}
	}
	return others
}
