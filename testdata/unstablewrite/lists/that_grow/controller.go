// Package controller appends to lists of objects that it has read.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "things.example.com/cleanup"

var ready = metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Done"}

// ConditionAppended makes the list of conditions longer each time.
type ConditionAppended struct {
	client.Client
}

func (r *ConditionAppended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = append(thing.Status.Conditions, ready) // want "unstablewrite: append to the stored list reaches Thing status\\.conditions in Update .*controller.go:33.; every reconcile makes it longer"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ConditionSet replaces the condition of the type.
type ConditionSet struct {
	client.Client
}

func (r *ConditionSet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta.SetStatusCondition(&thing.Status.Conditions, ready)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ConditionsListedAnew begins with an empty list.
type ConditionsListedAnew struct {
	client.Client
}

func (r *ConditionsListedAnew) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = thing.Status.Conditions[:0]
	thing.Status.Conditions = append(thing.Status.Conditions, ready)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// FinalizerByHelper has a helper that does not look whether the finalizer is there.
type FinalizerByHelper struct {
	client.Client
}

func (r *FinalizerByHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !thing.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	hold(&thing)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

func hold(thing *thingapi.Thing) {
	thing.Finalizers = append(thing.Finalizers, finalizer) // want "unstablewrite: append to the stored list reaches Thing metadata\\.finalizers in Update"
}

// FinalizerOnce looks first.
type FinalizerOnce struct {
	client.Client
}

func (r *FinalizerOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if slices.Contains(thing.Finalizers, finalizer) {
		return ctrl.Result{}, nil
	}
	thing.Finalizers = append(thing.Finalizers, finalizer)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// TolerationMutated appends in the function that changes what was read.
type TolerationMutated struct {
	client.Client
}

func (r *TolerationMutated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	dep := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, dep, func() error {
		pod := &dep.Spec.Template.Spec
		pod.Tolerations = append(pod.Tolerations, corev1.Toleration{Key: "things"}) // want "unstablewrite: append to the stored list reaches Deployment spec\\.template\\.spec\\.tolerations in CreateOrUpdate"
		return nil
	})
	return ctrl.Result{}, err
}

// TolerationsMutated sets the list, and appends to that.
type TolerationsMutated struct {
	client.Client
}

func (r *TolerationsMutated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	dep := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, dep, func() error {
		pod := &dep.Spec.Template.Spec
		pod.Tolerations = []corev1.Toleration{{Key: "pets"}}
		pod.Tolerations = append(pod.Tolerations, corev1.Toleration{Key: "things"})
		return nil
	})
	return ctrl.Result{}, err
}

// OwnerAdded adds an owner, which the API server drops if it is there already.
type OwnerAdded struct {
	client.Client
}

func (r *OwnerAdded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.OwnerReferences = append(thing.OwnerReferences, metav1.OwnerReference{Kind: "Thing", Name: "other"})
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// ConditionMerged sends a patch that merges the list by the type of its elements.
type ConditionMerged struct {
	client.Client
}

func (r *ConditionMerged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var dep appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &dep); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := dep.DeepCopy()
	dep.Spec.Template.Spec.Volumes = append(dep.Spec.Template.Spec.Volumes, corev1.Volume{Name: "things"})
	return ctrl.Result{}, r.Patch(ctx, &dep, client.StrategicMergeFrom(before))
}

// Derived copies an object that was read, and writes the copy under another name.
type Derived struct {
	client.Client
}

func (r *Derived) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var dep appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &dep); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	canary := dep.DeepCopy()
	canary.Name = dep.Name + "-canary"
	canary.ResourceVersion = ""
	canary.Finalizers = append(canary.Finalizers, finalizer)
	return ctrl.Result{}, r.Update(ctx, canary)
}

// CopyChanged writes the copy in place of what was read.
type CopyChanged struct {
	client.Client
}

func (r *CopyChanged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := thing.DeepCopy()
	next.Finalizers = append(next.Finalizers, finalizer) // want "unstablewrite: append to the stored list reaches Thing metadata\\.finalizers in Patch"
	return ctrl.Result{}, r.Patch(ctx, next, client.MergeFrom(&thing))
}

// StatusInPart changes a copy of the status, and puts it back.
type StatusInPart struct {
	client.Client
}

func (r *StatusInPart) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	status := thing.Status
	note(&status.Conditions)
	thing.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func note(conditions *[]metav1.Condition) {
	*conditions = append(*conditions, ready) // want "unstablewrite: append to the stored list reaches Thing status\\.conditions in Update"
}

// TolerationAppendedToWanted appends to what it is about to write, not to what it read.
type TolerationAppendedToWanted struct {
	client.Client
}

func (r *TolerationAppendedToWanted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var stored appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &stored); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	tolerate(&wanted.Spec.Template.Spec)
	stored.Spec = wanted.Spec
	return ctrl.Result{}, r.Update(ctx, &stored)
}

func tolerate(pod *corev1.PodSpec) {
	pod.Tolerations = append(pod.Tolerations, corev1.Toleration{Key: "things"})
}
