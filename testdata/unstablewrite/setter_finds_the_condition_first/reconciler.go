// Package controller looks for the condition, reads the clock, and uses what it
// read only for a condition that is new or changes.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.updateCondition(ctx, thing, "Available", metav1.ConditionTrue, "MinimumReached")
}

func (r *Reconciler) updateCondition(ctx context.Context, thing *thingapi.Thing, kind string, status metav1.ConditionStatus, reason string) error {
	var existing *metav1.Condition
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type == kind {
			existing = &thing.Status.Conditions[i]
			break
		}
	}
	now := metav1.NewTime(time.Now())
	if existing != nil {
		if existing.Status != status || existing.Reason != reason {
			existing.Status = status
			existing.Reason = reason
			existing.LastTransitionTime = now
		}
	} else {
		thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{
			Type: kind, Status: status, Reason: reason, LastTransitionTime: now,
		})
	}
	return r.Status().Update(ctx, thing)
}
