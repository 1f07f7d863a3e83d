// Package controller goes over its conditions with a new time, but only if the
// one in question is not true yet.
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
	if !meta.IsStatusConditionTrue(thing.Status.Conditions, "Provisioned") {
		return ctrl.Result{}, r.markProvisioned(ctx, &thing)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) markProvisioned(ctx context.Context, thing *thingapi.Thing) error {
	updated := make([]metav1.Condition, 0, len(thing.Status.Conditions))
	for _, c := range thing.Status.Conditions {
		if c.Type == "Provisioned" {
			c.Status = metav1.ConditionTrue
			c.LastTransitionTime = metav1.Now()
		}
		updated = append(updated, c)
	}
	thing.Status.Conditions = updated
	return r.Status().Update(ctx, thing)
}
