package controller

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
)

var (
	// errNameTaken says that an output's name belongs to an object that is not the Thing's.
	errNameTaken = errors.New("the name is taken")
	// errGoing says that an output is being deleted. Its deletion is watched, so the next attempt comes by itself.
	errGoing = errors.New("the previous object is still being deleted")
)

// change is what was done to one output.
type change string

const (
	unchanged change = ""
	created   change = "created"
	updated   change = "updated"
)

// changes is what was done to the outputs, by kind.
type changes map[string]change

// apply brings all outputs into the desired state. One that fails does not keep the others from being applied.
func (r *ThingReconciler) apply(ctx context.Context, thing *thingv1alpha1.Thing, desired outputs) (changes, error) {
	configMap, configMapErr := r.applyConfigMap(ctx, thing, desired.configMap)
	service, serviceErr := r.applyService(ctx, thing, desired.service)
	deployment, deploymentErr := r.applyDeployment(ctx, thing, desired.deployment)
	return changes{"ConfigMap": configMap, "Service": service, "Deployment": deployment},
		errors.Join(configMapErr, serviceErr, deploymentErr)
}

func (r *ThingReconciler) applyConfigMap(ctx context.Context, thing *thingv1alpha1.Thing, desired *corev1ac.ConfigMapApplyConfiguration) (change, error) {
	var live corev1.ConfigMap
	exists, err := r.find(ctx, thing, &live)
	if err != nil {
		return unchanged, err
	}
	return applyOnDrift(ctx, r, exists, &live, desired, corev1ac.ExtractConfigMap)
}

func (r *ThingReconciler) applyDeployment(ctx context.Context, thing *thingv1alpha1.Thing, desired *appsv1ac.DeploymentApplyConfiguration) (change, error) {
	var live appsv1.Deployment
	exists, err := r.find(ctx, thing, &live)
	if err != nil {
		return unchanged, err
	}
	return applyOnDrift(ctx, r, exists, &live, desired, appsv1ac.ExtractDeployment)
}

func (r *ThingReconciler) applyService(ctx context.Context, thing *thingv1alpha1.Thing, desired *corev1ac.ServiceApplyConfiguration) (change, error) {
	live := &corev1.Service{}
	exists, err := r.find(ctx, thing, live)
	if err != nil {
		return unchanged, err
	}
	if exact := wholePorts(live, desired); exists && exact != nil {
		patch := client.MergeFromWithOptions(live, client.MergeFromWithOptimisticLock{})
		if err := r.Patch(ctx, exact, patch, r.fieldOwner()); err != nil {
			return unchanged, fmt.Errorf("restoring the ports of Service %s: %w", live.Name, err)
		}
		live = exact
	}
	return applyOnDrift(ctx, r, exists, live, desired, corev1ac.ExtractService)
}

// find reads an output into live, which is empty if there is none. What the cache does not have may still exist: the cache
// holds objects with our labels only, and somebody may have removed these, or own the name.
func (r *ThingReconciler) find(ctx context.Context, thing *thingv1alpha1.Thing, live client.Object) (exists bool, err error) {
	key := client.ObjectKeyFromObject(thing)
	err = r.Get(ctx, key, live)
	if apierrors.IsNotFound(err) {
		err = r.APIReader.Get(ctx, key, live)
	}
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, r.claim(thing, live)
}

// claim reports why an object of an output's name must not be touched: it is somebody else's, or on its way out. An object
// that we have written to and nobody controls is ours: somebody has removed the owner reference.
func (r *ThingReconciler) claim(thing *thingv1alpha1.Thing, live client.Object) error {
	owner := metav1.GetControllerOf(live)
	switch {
	case owner != nil && owner.UID == thing.UID, owner == nil && r.wrote(live):
		if live.GetDeletionTimestamp() != nil {
			return fmt.Errorf("%s %s: %w", kindOf(live), live.GetName(), errGoing)
		}
		return nil
	case owner != nil && owner.Kind == "Thing" && owner.Name == thing.Name:
		return fmt.Errorf("%s %s of a deleted Thing: %w", kindOf(live), live.GetName(), errGoing)
	default:
		return fmt.Errorf("%s %s: %w", kindOf(live), live.GetName(), errNameTaken)
	}
}

// wrote reports whether the operator has ever applied an object.
func (r *ThingReconciler) wrote(live client.Object) bool {
	return slices.ContainsFunc(live.GetManagedFields(), func(entry metav1.ManagedFieldsEntry) bool {
		return entry.Manager == FieldManager
	})
}

// applyOnDrift applies an output if the fields that we own of the live object are not the desired ones. Fields of other
// managers are no drift. A field of ours that somebody has changed is theirs now, so it is missing from what we own, which
// is drift. What is equal is not written: an apply that changes nothing is a request all the same.
func applyOnDrift[L client.Object, A runtime.ApplyConfiguration](
	ctx context.Context, r *ThingReconciler, exists bool, live L, desired A, extract func(L, string) (A, error),
) (change, error) {
	done := created
	if exists {
		owned, err := extract(live, FieldManager)
		if err != nil {
			return unchanged, fmt.Errorf("reading which fields of %s %s are ours: %w", kindOf(live), live.GetName(), err)
		}
		if equality.Semantic.DeepEqual(owned, desired) {
			return unchanged, nil
		}
		done = updated
	}
	if err := r.Apply(ctx, desired, r.fieldOwner(), client.ForceOwnership); err != nil {
		return unchanged, err
	}
	log.FromContext(ctx).Info("Applied an output", "kind", kindOf(live), "change", done)
	return done, nil
}

// kindOf is the kind of a typed object, which does not know it by itself once it was read.
func kindOf(object client.Object) string { return reflect.TypeOf(object).Elem().Name() }
