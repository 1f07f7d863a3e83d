// Package fixture creates a clean-up Job while a Thing is being deleted, and asks
// for it again until it is done. Nobody wants the Job back later.
package fixture

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

const finalizer = "things.example.com/clean-up"

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile cleans up behind a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !thing.DeletionTimestamp.IsZero() {
		return r.cleanUp(ctx, thing)
	}
	if controllerutil.AddFinalizer(thing, finalizer) {
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *ThingReconciler) cleanUp(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-clean-up", Namespace: thing.Namespace}}
	err := r.Get(ctx, client.ObjectKeyFromObject(job), job)
	switch {
	case apierrors.IsNotFound(err):
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{Requeue: true}, r.Create(ctx, job)
	case err != nil:
		return ctrl.Result{}, err
	case job.Status.Succeeded == 0:
		return ctrl.Result{Requeue: true}, nil
	}
	controllerutil.RemoveFinalizer(thing, finalizer)
	return ctrl.Result{}, r.Update(ctx, thing)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
