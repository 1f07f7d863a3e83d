// Package fixture has controllers that create a Job in one phase and wait for its events.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// begin creates the Job of a thing that is new.
func begin(ctx context.Context, c client.Client, thing *thingapi.Thing, own func(job *batchv1.Job) error) error {
	if thing.Status.Phase != "" {
		return nil
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := own(job); err != nil {
		return err
	}
	if err := c.Create(ctx, job); err != nil { // want "missingwatch: batchv1.Job is watched by Owns but this create sets no controller reference to Thing"
		return err
	}
	thing.Status.Phase = "Running"
	return c.Status().Update(ctx, thing)
}

// OwnerOfAStepIsNoController gives the Job a plain owner reference, and no event of the Job reaches it.
type OwnerOfAStepIsNoController struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerOfAStepIsNoController) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, begin(ctx, r.Client, thing, func(job *batchv1.Job) error {
		return controllerutil.SetOwnerReference(thing, job, r.Scheme)
	})
}

func (r *OwnerOfAStepIsNoController) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&batchv1.Job{}).Complete(r)
}

// OwnerOfAStepIsTheController gets the events.
type OwnerOfAStepIsTheController struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerOfAStepIsTheController) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, begin(ctx, r.Client, thing, func(job *batchv1.Job) error {
		return controllerutil.SetControllerReference(thing, job, r.Scheme)
	})
}

func (r *OwnerOfAStepIsTheController) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&batchv1.Job{}).Complete(r)
}

// NobodyWaitsForTheStep watches no Jobs: the one that it creates goes its own way.
type NobodyWaitsForTheStep struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *NobodyWaitsForTheStep) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, begin(ctx, r.Client, thing, func(job *batchv1.Job) error {
		return controllerutil.SetOwnerReference(thing, job, r.Scheme)
	})
}

func (r *NobodyWaitsForTheStep) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
