// Package controller asks for settings that users may leave out.
package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Thing is the object that the reconcilers are for.
type Thing struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   ThingSpec
	Status ThingStatus
}

// DeepCopyObject copies the thing.
func (t *Thing) DeepCopyObject() runtime.Object {
	c := *t
	return &c
}

// ThingSpec is what users want.
type ThingSpec struct{ Listed *bool }

// ThingStatus is what reconcilers say.
type ThingStatus struct {
	Listed *bool
	Names  []string
}

// ListedIfWanted lists names, if the spec says so.
type ListedIfWanted struct {
	client.Client
	Names map[string]bool
}

func (r *ListedIfWanted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !orElse(thing.Spec.Listed, true) {
		return ctrl.Result{}, nil
	}
	var names []string
	for name := range r.Names { // want "unstablewrite: map order reaches Thing status.names in Update"
		names = append(names, name)
	}
	thing.Status.Names = names
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ListedOnce lists names, until it has listed them.
type ListedOnce struct {
	client.Client
	Names map[string]bool
}

func (r *ListedOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if orElse(thing.Status.Listed, false) {
		return ctrl.Result{}, nil
	}
	var names []string
	for name := range r.Names {
		names = append(names, name)
	}
	listed := true
	thing.Status.Names, thing.Status.Listed = names, &listed
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func orElse(set *bool, otherwise bool) bool {
	if set != nil {
		return *set
	}
	return otherwise
}
