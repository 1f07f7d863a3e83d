// Package controller compares the old and the new condition for a log line only.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	condition := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"}
	condition.LastTransitionTime = metav1.Now() // want "unstablewrite: .*Now .*Thing"
	var others []metav1.Condition
	for _, old := range thing.Status.Conditions {
		if old.Type != condition.Type {
			others = append(others, old)
			continue
		}
		if old.Reason != condition.Reason {
			log.FromContext(ctx).Info("condition changes", "from", old.Reason, "to", condition.Reason)
		}
	}
	thing.Status.Conditions = append(others, condition)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
