// Package controller sets conditions by a helper that removes those that are false.
package controller

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Thing is the object that the reconcilers are for.
type Thing struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Status ThingStatus
}

// DeepCopyObject copies the thing.
func (t *Thing) DeepCopyObject() runtime.Object {
	c := *t
	return &c
}

// ThingStatus is what reconcilers say.
type ThingStatus struct{ Conditions []Condition }

// Condition is one thing that is the case, or not.
type Condition struct {
	Type, Message string
	Status        metav1.ConditionStatus
}

// Overwritten overwrites a condition that is still true.
type Overwritten struct {
	client.Client
	Missing map[string]bool
}

func (r *Overwritten) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := &Condition{Type: "Degraded", Status: metav1.ConditionFalse}
	if len(r.Missing) > 0 {
		var names []string
		for name := range r.Missing { // want "unstablewrite: map order reaches Thing status.conditions.message in Update"
			names = append(names, name)
		}
		wanted.Status, wanted.Message = metav1.ConditionTrue, strings.Join(names, ", ")
	}
	overwrite(&thing.Status, wanted)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func overwrite(status *ThingStatus, wanted *Condition) {
	if wanted.Status == metav1.ConditionFalse {
		remove(status, wanted.Type)
		return
	}
	old := find(status, wanted.Type)
	if old == nil {
		status.Conditions = append(status.Conditions, *wanted)
		return
	}
	*old = *wanted
}

// Kept keeps a condition that is still true.
type Kept struct {
	client.Client
	Missing map[string]bool
}

func (r *Kept) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := &Condition{Type: "Degraded", Status: metav1.ConditionFalse}
	if len(r.Missing) > 0 {
		var names []string
		for name := range r.Missing {
			names = append(names, name)
		}
		wanted.Status, wanted.Message = metav1.ConditionTrue, strings.Join(names, ", ")
	}
	keep(&thing.Status, wanted)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func keep(status *ThingStatus, wanted *Condition) {
	if wanted.Status == metav1.ConditionFalse {
		remove(status, wanted.Type)
		return
	}
	old := find(status, wanted.Type)
	if old == nil {
		status.Conditions = append(status.Conditions, *wanted)
		return
	}
	if old.Status != wanted.Status {
		*old = *wanted
	}
}

func remove(status *ThingStatus, name string) {
	status.Conditions = slices.DeleteFunc(status.Conditions, func(c Condition) bool { return c.Type == name })
}

func find(status *ThingStatus, name string) *Condition {
	for i := range status.Conditions {
		if status.Conditions[i].Type == name {
			return &status.Conditions[i]
		}
	}
	return nil
}
