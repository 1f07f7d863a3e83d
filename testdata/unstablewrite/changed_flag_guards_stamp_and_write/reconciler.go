// Package controller remembers in a flag whether anything changed.
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
	changed := meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type:   "Ready",
		Status: metav1.ConditionTrue,
		Reason: "Reconciled",
	})
	if thing.Status.ReadyReplicas != *thing.Spec.Replicas {
		thing.Status.ReadyReplicas = *thing.Spec.Replicas
		changed = true
	}
	if !changed {
		return ctrl.Result{}, nil
	}
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
