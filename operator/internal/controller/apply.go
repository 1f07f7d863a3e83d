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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/utils/ptr"
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

// apply brings all outputs into the desired state, and returns the Deployment as it is then, if it is ours. One that fails
// does not keep the others from being applied.
func (r *ThingReconciler) apply(ctx context.Context, thing *thingv1alpha1.Thing, desired outputs) (*appsv1.Deployment, changes, error) {
	configMap, configMapErr := bring(ctx, r, thing, &corev1.ConfigMap{}, corev1ac.ExtractConfigMap, stripConfigMap,
		func() *corev1ac.ConfigMapApplyConfiguration { return desired.configMap })
	service, serviceErr := bring(ctx, r, thing, &corev1.Service{}, corev1ac.ExtractService,
		func(live *corev1.Service) bool { return stripService(live, desired.service) },
		func() *corev1ac.ServiceApplyConfiguration { return desired.service })

	live := &appsv1.Deployment{}
	deployment, deploymentErr := bring(ctx, r, thing, live, appsv1ac.ExtractDeployment, stripDeployment,
		func() *appsv1ac.DeploymentApplyConfiguration {
			desired.deployment.Spec.Replicas = thing.Spec.Replicas
			if excess(thing, live) > 0 { // it keeps its size until pods have drained
				desired.deployment.Spec.Replicas = live.Spec.Replicas
			}
			return desired.deployment
		})
	if deploymentErr == nil && deployment != unchanged {
		applied(live, desired.deployment)
	}
	return live, changes{"ConfigMap": configMap, "Service": service, "Deployment": deployment},
		errors.Join(configMapErr, serviceErr, deploymentErr)
}

// applied puts into a Deployment what applying it has changed: its generation, so that what its status says is known to be
// about the one before, and its size. The API server's answer is in what was applied.
func applied(deployment *appsv1.Deployment, answer *appsv1ac.DeploymentApplyConfiguration) {
	deployment.UID = ptr.Deref(answer.UID, deployment.UID)
	deployment.Generation = ptr.Deref(answer.Generation, deployment.Generation)
	deployment.Spec.Replicas = answer.Spec.Replicas
}

// bring brings one output into the desired state, if it is not in it; live is what it was before. Fields of other managers
// are no drift, except what strip takes off. A field of ours that somebody has changed is theirs now, so it is missing from
// what we own, which is drift. What is equal is not written: an apply that changes nothing is a request all the same.
//
// The cache may lag behind our own writes, and it does not hold what has lost our labels. What it shows is enough to see
// that all is well, but the API server is asked before anything is written. What is desired may depend on what is there.
func bring[O any, L object[O], A runtime.ApplyConfiguration](
	ctx context.Context, r *ThingReconciler, thing *thingv1alpha1.Thing, live L, extract func(L, string) (A, error), strip func(L) bool, desired func() A,
) (change, error) {
	var whole client.Object // live with what strip takes off, if there is any
	look := func(reader client.Reader) (change, error) {
		whole = nil
		exists, err := find(ctx, r, reader, thing, live)
		if err != nil || !exists {
			return created, err
		}
		owned, err := extract(live, FieldManager)
		if err != nil {
			return unchanged, fmt.Errorf("reading which fields of %s %s are ours: %w", kindOf(live), live.GetName(), err)
		}
		before := live.DeepCopyObject().(client.Object)
		if strip(live) {
			whole = before
		}
		if whole == nil && equality.Semantic.DeepEqual(owned, desired()) {
			return unchanged, nil
		}
		return updated, nil
	}
	needed, err := look(r.Client)
	if err == nil && needed != unchanged {
		needed, err = look(r.APIReader)
	}
	if err != nil || needed == unchanged {
		return unchanged, err
	}
	if whole != nil {
		if err := r.Patch(ctx, live, client.MergeFromWithOptions(whole, client.MergeFromWithOptimisticLock{}), r.fieldOwner()); err != nil {
			return unchanged, fmt.Errorf("restoring %s %s: %w", kindOf(live), live.GetName(), err)
		}
	}
	if err := r.Apply(ctx, desired(), r.fieldOwner(), client.ForceOwnership); err != nil {
		return unchanged, err
	}
	log.FromContext(ctx).Info("Applied an output", "kind", kindOf(live), "change", needed)
	return needed, nil
}

// object is a pointer to an API object of type O.
type object[O any] interface {
	*O
	client.Object
}

// find reads an output into live, which is empty if there is none that is the Thing's, and stays as it is if nobody can tell.
func find[O any, L object[O]](ctx context.Context, r *ThingReconciler, reader client.Reader, thing *thingv1alpha1.Thing, live L) (exists bool, err error) {
	var none, found O
	err = reader.Get(ctx, client.ObjectKeyFromObject(thing), L(&found))
	if client.IgnoreNotFound(err) != nil {
		return false, err
	}
	*live = none
	if err != nil {
		return false, nil
	}
	if err := r.claim(thing, L(&found)); err != nil {
		return false, err
	}
	*live = found
	return true, nil
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

// kindOf is the kind of a typed object, which does not know it by itself once it was read.
func kindOf(object client.Object) string { return reflect.TypeOf(object).Elem().Name() }
