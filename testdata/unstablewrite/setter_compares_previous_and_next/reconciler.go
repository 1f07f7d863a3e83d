// Package controller upserts conditions: the next one takes the time of the
// previous one unless they differ.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
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
	next := thing.DeepCopy().Status.Conditions
	next = upsert(next, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"})
	next = upsert(next, metav1.Condition{Type: "Synced", Status: metav1.ConditionTrue, Reason: "Up"})
	thing.Status.Conditions = next
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func upsert(existing []metav1.Condition, next metav1.Condition) []metav1.Condition {
	for i := range existing {
		if existing[i].Type != next.Type {
			continue
		}
		prev := existing[i]
		if prev.Status == next.Status && prev.Reason == next.Reason {
			next.LastTransitionTime = prev.LastTransitionTime
		} else {
			next.LastTransitionTime = metav1.Now()
		}
		existing[i] = next
		return existing
	}
	next.LastTransitionTime = metav1.Now()
	return append(existing, next)
}
