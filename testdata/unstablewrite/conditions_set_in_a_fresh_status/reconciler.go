// Package controller computes a whole new status and forgets to start from the
// old conditions.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	thing.Status = computeStatus(&thing)
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

func computeStatus(thing *thingapi.Thing) thingapi.ThingStatus {
	status := thingapi.ThingStatus{ObservedGeneration: thing.Generation, Phase: "Running"}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{ // want "unstablewrite: .*Thing"
		Type:               "Available",
		Status:             metav1.ConditionTrue,
		Reason:             "Running",
		ObservedGeneration: thing.Generation,
	})
	return status
}
