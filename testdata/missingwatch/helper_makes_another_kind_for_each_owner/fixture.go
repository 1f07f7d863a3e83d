// Package fixture has a helper for two kinds of owners. What it makes for the one
// is no output of the other's controller.
package fixture

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Runner makes what runs for an owner: a Job for a Thing; a CronJob, and what
// keeps its results, for a Part.
type Runner struct {
	client.Client
	Scheme *runtime.Scheme
}

// Run makes sure of what runs for the owner.
func (r *Runner) Run(ctx context.Context, owner client.Object) error {
	if err := r.storage(ctx, owner); err != nil {
		return err
	}
	return r.workload(ctx, owner)
}

func (r *Runner) storage(ctx context.Context, owner client.Object) error {
	part, ok := owner.(*thingapi.Part)
	if !ok {
		return nil
	}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metaOf(part)}
	if err := controllerutil.SetControllerReference(part, claim, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, claim))
}

func (r *Runner) workload(ctx context.Context, owner client.Object) error {
	desired, err := r.build(owner)
	if err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, desired, r.Scheme); err != nil {
		return err
	}
	if job, ok := desired.(*batchv1.Job); ok {
		return client.IgnoreAlreadyExists(r.Create(ctx, job))
	}
	if cronJob, ok := desired.(*batchv1.CronJob); ok {
		return client.IgnoreAlreadyExists(r.Create(ctx, cronJob))
	}
	return fmt.Errorf("nothing runs for %T", owner)
}

func (r *Runner) build(owner client.Object) (client.Object, error) {
	switch owner := owner.(type) {
	case *thingapi.Part:
		return newCronJob(owner), nil
	case *thingapi.Thing:
		return &batchv1.Job{ObjectMeta: metaOf(owner)}, nil
	}
	return nil, fmt.Errorf("nothing runs for %T", owner)
}

func newCronJob(part *thingapi.Part) *batchv1.CronJob {
	return &batchv1.CronJob{
		ObjectMeta: metaOf(part),
		Spec:       batchv1.CronJobSpec{Schedule: "@daily"},
	}
}

func metaOf(owner client.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace()}
}

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Runner *Runner
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Runner.Run(ctx, &thing)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&batchv1.Job{}).
		Complete(r)
}

// PartReconciler reconciles Parts.
type PartReconciler struct {
	client.Client
	Runner *Runner
}

// Reconcile brings the cluster in line with a Part.
func (r *PartReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.Runner.Run(ctx, &part)
}

// SetupWithManager registers the controller.
func (r *PartReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Owns(&batchv1.Job{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.PersistentVolumeClaim .* does not watch it" "missingwatch: Reconcile creates batchv1.CronJob .* does not watch it"
}
