// Package fixture starts Jobs and makes claims.
package fixture

import (
	"context"
	"time"

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

// JobIsAskedForUntilItIsDone starts a Job and looks at it again every ten seconds
// until it is done.
type JobIsAskedForUntilItIsDone struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *JobIsAskedForUntilItIsDone) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	job := newInitJob(thing)
	if err := r.Get(ctx, client.ObjectKeyFromObject(job), job); apierrors.IsNotFound(err) {
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, job); err != nil {
			return ctrl.Result{}, err
		}
	} else if err != nil {
		return ctrl.Result{}, err
	}
	if job.Status.Succeeded == 0 {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	return ctrl.Result{}, nil
}

func (r *JobIsAskedForUntilItIsDone) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r)
}

// JobAndClaimAreOnlyCreated starts a Job that fills a claim, and never looks at
// them again.
type JobAndClaimAreOnlyCreated struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *JobAndClaimAreOnlyCreated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	claim := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec:       corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}},
	}
	for _, object := range []client.Object{claim, newInitJob(thing)} {
		if err := controllerutil.SetControllerReference(thing, object, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, object)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *JobAndClaimAreOnlyCreated) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r)
}

// ClaimThatMustBeBound makes a claim and a thing is ready when it is bound. Nothing
// wakes the reconciler when that happens.
type ClaimThatMustBeBound struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ClaimThatMustBeBound) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, claim, func() error {
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		return controllerutil.SetControllerReference(thing, claim, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = string(claim.Status.Phase)
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *ClaimThatMustBeBound) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r) // want "missingwatch: .*PersistentVolumeClaim"
}
