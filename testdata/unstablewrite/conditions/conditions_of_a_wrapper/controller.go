// Package controller sets the conditions of a copy, through a wrapper, and copies them back.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/conditions/conditions_of_a_wrapper/conditions"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/conditions/conditions_of_a_wrapper/wrapper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var accepted = metav1.Condition{Type: "Accepted", Status: metav1.ConditionTrue, Reason: "Accepted"}

// Stamping writes another time on each reconcile.
type Stamping struct{ client.Client }

func (r *Stamping) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &wrapper.Thing{Object: &thingapi.Thing{}}
	if err := r.Get(ctx, req.NamespacedName, thing.Object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	desired := thing.DeepCopy()
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, thing.Object, func() error {
		controllerutil.AddFinalizer(thing.Object, "example.com/finalizer")
		conditions.Set(desired, accepted) // want "unstablewrite: metav1.Now .*conditions.lastTransitionTime"
		return nil
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Object.Status = desired.Object.Status
	return ctrl.Result{}, r.Status().Update(ctx, thing.Object)
}

func (r *Stamping) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// Keeping writes what is there.
type Keeping struct{ client.Client }

func (r *Keeping) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &wrapper.Thing{Object: &thingapi.Thing{}}
	if err := r.Get(ctx, req.NamespacedName, thing.Object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	desired := thing.DeepCopy()
	conditions.Keep(desired, accepted)
	thing.Object.Status = desired.Object.Status
	return ctrl.Result{}, r.Status().Update(ctx, thing.Object)
}

func (r *Keeping) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("keeping").Complete(r)
}
