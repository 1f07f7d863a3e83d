// Package fixture starts Jobs.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// JobWithATimeToLive starts a Job that the cluster removes when it is done.
type JobWithATimeToLive struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *JobWithATimeToLive) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.Phase == "Migrated" {
		return ctrl.Result{}, nil
	}
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-migrate", Namespace: thing.Namespace},
		Spec: batchv1.JobSpec{
			TTLSecondsAfterFinished: ptr.To(int32(600)),
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever,
				Containers:    []corev1.Container{{Name: "migrate", Image: thing.Spec.Image}},
			}},
		},
	}
	if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, job)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = "Migrated"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *JobWithATimeToLive) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// JobsWithGeneratedNamesComeInASlice starts as many Jobs as there is work, each
// with a name of its own that nobody knows beforehand.
type JobsWithGeneratedNamesComeInASlice struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile starts the Jobs of a Thing.
func (r *JobsWithGeneratedNamesComeInASlice) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, job := range r.jobs(thing, int(thing.Status.ReadyReplicas)) {
		if err := r.Create(ctx, job); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *JobsWithGeneratedNamesComeInASlice) jobs(thing *thingapi.Thing, n int) []*batchv1.Job {
	jobs := make([]*batchv1.Job, n)
	for i := range n {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
			GenerateName: thing.GetName() + "-",
			Namespace:    thing.GetNamespace(),
		}}
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return nil
		}
		jobs[i] = job
	}
	return jobs
}

func (r *JobsWithGeneratedNamesComeInASlice) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// JobWithoutTimeToLiveIsNotOwned starts a Job and reads from its status whether
// the thing is initialised. Nothing wakes the reconciler when the Job is done.
type JobWithoutTimeToLiveIsNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *JobWithoutTimeToLiveIsNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *JobWithoutTimeToLiveIsNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*Job"
}
