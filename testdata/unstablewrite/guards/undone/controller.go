// Package controller acts on what is there and removes it, or leaves it there.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	trigger   = "things.example.com/sync-now"
	until     = "things.example.com/silent-until"
	finalizer = "things.example.com/clean-up"
)

// TriggerIsRemoved notes when it was asked to act, and removes the annotation
// that asked.
type TriggerIsRemoved struct {
	client.Client
}

func (r *TriggerIsRemoved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, asked := thing.Annotations[trigger]; !asked {
		return ctrl.Result{}, nil
	}
	thing.Annotations["things.example.com/synced-at"] = time.Now().Format(time.RFC3339)
	delete(thing.Annotations, trigger)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// TriggerStays notes when it acts, as long as an annotation asks it to.
type TriggerStays struct {
	client.Client
}

func (r *TriggerStays) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, asked := part.Annotations["parts.example.com/sync"]; !asked {
		return ctrl.Result{}, nil
	}
	part.Annotations["parts.example.com/synced-at"] = time.Now().Format(time.RFC3339) // want "unstablewrite: time\\.Now reaches Part metadata.annotations"
	return ctrl.Result{}, r.Update(ctx, &part)
}

// SilenceBeginsWhereNoTimeIsStored stores a time where there is none that can be
// read.
type SilenceBeginsWhereNoTimeIsStored struct {
	client.Client
}

func (r *SilenceBeginsWhereNoTimeIsStored) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	end, err := time.Parse(time.RFC3339, thing.Annotations[until])
	if err != nil {
		metav1.SetMetaDataAnnotation(&thing.ObjectMeta, until, time.Now().Add(time.Hour).Format(time.RFC3339))
		return ctrl.Result{}, r.Update(ctx, &thing)
	}
	return ctrl.Result{RequeueAfter: time.Until(end)}, nil
}

// FinalizerIsRemoved notes when it cleaned up, and removes its finalizer.
type FinalizerIsRemoved struct {
	client.Client
}

func (r *FinalizerIsRemoved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !thing.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(&thing, finalizer) {
		metav1.SetMetaDataAnnotation(&thing.ObjectMeta, "things.example.com/cleaned-at", time.Now().Format(time.RFC3339))
		controllerutil.RemoveFinalizer(&thing, finalizer)
		return ctrl.Result{}, r.Update(ctx, &thing)
	}
	return ctrl.Result{}, nil
}

// FinalizerStays notes the time while it waits for others to clean up.
type FinalizerStays struct {
	client.Client
}

func (r *FinalizerStays) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !part.DeletionTimestamp.IsZero() && controllerutil.ContainsFinalizer(&part, finalizer) {
		metav1.SetMetaDataAnnotation(&part.ObjectMeta, "parts.example.com/waited-at", time.Now().Format(time.RFC3339)) // want "unstablewrite: time\\.Now reaches Part metadata.annotations"
		return ctrl.Result{}, r.Update(ctx, &part)
	}
	return ctrl.Result{}, nil
}

// StartedWhereThePodIsMissing stamps the thing before it creates its pod. Errors
// other than that there is no pod are returned first.
type StartedWhereThePodIsMissing struct {
	client.Client
}

func (r *StartedWhereThePodIsMissing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	err := r.Get(ctx, req.NamespacedName, &corev1.Pod{})
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	if err == nil {
		return ctrl.Result{}, nil
	}
	thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: req.Namespace, Name: req.Name}})
}

// OwnerIsAddedOrRemoved makes the list of owners anew from a map, if the one that it is
// about has to be added or removed.
type OwnerIsAddedOrRemoved struct {
	client.Client
}

func (r *OwnerIsAddedOrRemoved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	owner := metav1.NewControllerRef(&thing, thingapi.GroupVersion.WithKind("Thing"))
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	owners := make(map[types.UID]*metav1.OwnerReference)
	for _, ref := range secret.OwnerReferences {
		owners[ref.UID] = &ref
	}
	keep := thing.Spec.Paused
	_, owned := owners[owner.UID]
	if keep && owned {
		delete(owners, owner.UID)
	} else if !keep && !owned {
		owners[owner.UID] = owner
	} else {
		return ctrl.Result{}, nil
	}
	var refs []metav1.OwnerReference
	for _, ref := range owners {
		refs = append(refs, *ref)
	}
	secret.OwnerReferences = refs
	return ctrl.Result{}, r.Update(ctx, &secret)
}

// AnotherOwnerIsRemoved makes the list of owners anew as long as the thing is one, and
// removes only others.
type AnotherOwnerIsRemoved struct {
	client.Client
}

func (r *AnotherOwnerIsRemoved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	owners := make(map[types.UID]metav1.OwnerReference)
	for _, ref := range secret.OwnerReferences {
		owners[ref.UID] = ref
	}
	if _, owned := owners[thing.UID]; !owned {
		return ctrl.Result{}, nil
	}
	delete(owners, types.UID(thing.Status.Phase))
	var refs []metav1.OwnerReference
	for _, ref := range owners { // want "unstablewrite: map order reaches Secret metadata.ownerReferences"
		refs = append(refs, ref)
	}
	secret.OwnerReferences = refs
	return ctrl.Result{}, r.Update(ctx, &secret)
}
