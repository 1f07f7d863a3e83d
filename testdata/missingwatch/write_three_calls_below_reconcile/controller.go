// Package fixture reaches the write of a claim only through a chain of functions,
// under conditions.
package fixture

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.Paused {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.reconcileWorkload(ctx, thing)
}

func (r *ThingReconciler) reconcileWorkload(ctx context.Context, thing *thingapi.Thing) error {
	if err := r.reconcileStorage(ctx, thing); err != nil {
		return fmt.Errorf("storage: %w", err)
	}
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, set, func() error {
		set.Spec.Replicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, set, r.Scheme)
	})
	return err
}

func (r *ThingReconciler) reconcileStorage(ctx context.Context, thing *thingapi.Thing) error {
	for i := range ptr.Deref(thing.Spec.Replicas, 1) {
		if err := r.ensureClaim(ctx, thing, fmt.Sprintf("%s-data-%d", thing.Name, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *ThingReconciler) ensureClaim(ctx context.Context, thing *thingapi.Thing, name string) error {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Name, claim.Namespace = name, thing.Namespace
	claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	if err := controllerutil.SetControllerReference(thing, claim, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, claim))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*PersistentVolumeClaim"
}
