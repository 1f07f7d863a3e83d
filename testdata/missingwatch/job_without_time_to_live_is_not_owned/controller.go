// Package fixture starts a Job and reads from its status whether the thing is
// initialised. Nothing wakes the reconciler when the Job is done.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
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

	job := &batchv1.Job{}
	err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Name + "-init"}, job)
	if apierrors.IsNotFound(err) {
		job = newInitJob(thing)
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Create(ctx, job)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	if job.Status.Succeeded > 0 {
		thing.Status.Phase = "Initialised"
	}
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func newInitJob(thing *thingapi.Thing) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-init", Namespace: thing.Namespace},
		Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyNever,
			Containers:    []corev1.Container{{Name: "init", Image: thing.Spec.Image, Args: []string{"init"}}},
		}}},
	}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*Job"
}
