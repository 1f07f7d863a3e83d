// Package controller compares the old and the new status without the time, and
// stamps what it writes.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/equality"
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
	status := thing.DeepCopy().Status
	status.Phase = "Ready"
	status.ObservedGeneration = thing.Generation
	if equality.Semantic.DeepEqual(thing.Status, status) {
		return ctrl.Result{}, nil
	}
	now := metav1.Now()
	status.LastSync = &now
	thing.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
