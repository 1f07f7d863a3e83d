// Package fixture reads the status of Pods, Jobs and custom resources, or only
// writes it.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// StatusIsOnlyAssigned writes a status into the object that it makes, and reads
// none.
type StatusIsOnlyAssigned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StatusIsOnlyAssigned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	job.Status.Active = 1
	if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, job))
}

func (r *StatusIsOnlyAssigned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// StatusOfTheOwnKind reads the status of Things, which is its own.
type StatusOfTheOwnKind struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StatusOfTheOwnKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	if thing.Status.Phase == "Done" {
		return ctrl.Result{}, nil
	}
	thing.Status.Phase = "Done"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *StatusOfTheOwnKind) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// StatusThatTheControllerWritesItself writes the status of the Parts that it
// owns, and reads it for that.
type StatusThatTheControllerWritesItself struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StatusThatTheControllerWritesItself) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if part.Status.Ready == !thing.Spec.Paused {
		return ctrl.Result{}, nil
	}
	part.Status.Ready = !thing.Spec.Paused
	return ctrl.Result{}, r.Status().Update(ctx, part)
}

func (r *StatusThatTheControllerWritesItself) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&thingapi.Part{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// StatusOfListedPods counts its running Pods, of which it sees no status.
type StatusOfListedPods struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StatusOfListedPods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(thing.Namespace), client.MatchingLabels(thing.Spec.Labels)); err != nil {
		return ctrl.Result{}, err
	}
	running := int32(0)
	for i := range pods.Items {
		if isRunning(&pods.Items[i].Status) {
			running++
		}
	}
	thing.Status.ReadyReplicas = running
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func isRunning(status *corev1.PodStatus) bool { return status.Phase == corev1.PodRunning }

func (r *StatusOfListedPods) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Pod{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*status of corev1.Pod"
		Complete(r)
}

// JobNeverSeemsToEnd starts a Job and never hears of its end.
type JobNeverSeemsToEnd struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *JobNeverSeemsToEnd) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	job := &batchv1.Job{}
	err := r.Get(ctx, req.NamespacedName, job)
	if apierrors.IsNotFound(err) {
		job = &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.Create(ctx, job)
	}
	if err != nil || job.Status.Succeeded == 0 {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = "Done"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *JobNeverSeemsToEnd) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&batchv1.Job{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*status of batchv1.Job"
		Complete(r)
}

// ConditionsOfAnOwnedCustomResource waits for a condition of a Part, a custom
// resource that it owns.
type ConditionsOfAnOwnedCustomResource struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ConditionsOfAnOwnedCustomResource) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, part, func() error {
		part.Spec.Settings = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, part, r.Scheme)
	})
	if err != nil || !apimeta.IsStatusConditionTrue(part.Status.Conditions, "Ready") {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = "Ready"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *ConditionsOfAnOwnedCustomResource) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&thingapi.Part{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*status of thingapi.Part"
		Complete(r)
}
