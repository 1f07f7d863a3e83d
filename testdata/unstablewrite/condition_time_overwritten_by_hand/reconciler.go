// Package controller has its own way to set a condition, which renews the
// transition time although nothing changed.
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
	setCondition(&thing, "Ready", metav1.ConditionTrue, "Reconciled", "all is well")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setCondition(thing *thingapi.Thing, kind string, status metav1.ConditionStatus, reason, message string) {
	condition := metav1.Condition{
		Type:               kind,
		Status:             status,
		Reason:             reason,
		Message:            message,
		LastTransitionTime: metav1.Now(), // want "unstablewrite: .*Now .*Thing"
	}
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type == kind {
			thing.Status.Conditions[i] = condition
			return
		}
	}
	thing.Status.Conditions = append(thing.Status.Conditions, condition)
}
