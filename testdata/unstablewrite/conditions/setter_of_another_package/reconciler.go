// Package controller gets its conditions from another package.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/conditions/setter_of_another_package/conditions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ConditionKeptByASetterOfTheAPIPackage sets a condition by a function of
// another package, which keeps the time unless the status changes.
type ConditionKeptByASetterOfTheAPIPackage struct {
	client.Client
}

func (r *ConditionKeptByASetterOfTheAPIPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	conditions.Mark(&thing.Status.Conditions, "Ready", metav1.ConditionTrue)
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

// ConditionMadeByAFunctionOfAnotherPackage appends a condition that a function
// of another package returns, stamped.
type ConditionMadeByAFunctionOfAnotherPackage struct {
	client.Client
}

func (r *ConditionMadeByAFunctionOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.setStatus(&thing)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *ConditionMadeByAFunctionOfAnotherPackage) setStatus(thing *thingapi.Thing) {
	thing.Status.Phase = "Ready"
	thing.Status.Conditions = []metav1.Condition{conditions.True("Ready", thing.Generation)} // want "unstablewrite: .*Thing"
}
