// Package controller acts if a part of the spec is left out.
package controller

import (
	"context"
	"time"

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
type ThingSpec struct {
	Manager *string
	Class   string
}

// ThingStatus is what reconcilers say.
type ThingStatus struct{ Names []string }

// ManagedByOthers leaves a thing alone that has another manager.
type ManagedByOthers struct {
	client.Client
	Names map[string]bool
}

func (r *ManagedByOthers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if manager := managerOf(&thing); manager != nil {
		return ctrl.Result{}, nil
	}
	var names []string
	for name := range r.Names { // want "unstablewrite: map order reaches Thing status.names in Update"
		names = append(names, name)
	}
	thing.Status.Names = names
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func managerOf(thing *Thing) *string { return thing.Spec.Manager }

// SetIfLeftOut sets what is left out, once.
type SetIfLeftOut struct {
	client.Client
	Names map[string]bool
}

func (r *SetIfLeftOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.Class != "" {
		return ctrl.Result{}, nil
	}
	var names []string
	for name := range r.Names {
		names = append(names, name)
	}
	thing.Spec.Class = "default"
	thing.Status.Names = names
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// IsManaged reports whether a thing has another manager.
func (s *ThingSpec) IsManaged() bool { return s.Manager != nil && *s.Manager != "" }

// HasClass reports whether a thing has a class.
func (s *ThingSpec) HasClass() bool { return s.Class != "" }

// LeftToOthers asks a method whether a thing has another manager.
type LeftToOthers struct {
	client.Client
}

func (r *LeftToOthers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.IsManaged() {
		return ctrl.Result{}, nil
	}
	thing.Status.Names = []string{time.Now().String()} // want "unstablewrite: time\\.Now reaches Thing status.names in Update"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// DefaultedIfLeftOut sets what a method says is left out, once.
type DefaultedIfLeftOut struct {
	client.Client
}

func (r *DefaultedIfLeftOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.HasClass() {
		return ctrl.Result{}, nil
	}
	thing.Spec.Class = "default"
	thing.Annotations["class-set-at"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, &thing)
}
