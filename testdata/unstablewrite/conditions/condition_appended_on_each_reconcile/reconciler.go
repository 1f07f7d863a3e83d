// Package controller appends a condition, with the time, on each pass.
package controller

import (
	"context"
	"time"

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
	for _, condition := range thing.Status.Conditions {
		log.FromContext(ctx).Info("so far", "condition", condition.Type)
	}
	thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "Deployed",
		LastTransitionTime: metav1.NewTime(time.Now())}) // want "unstablewrite: time\\.Now reaches Thing status.conditions"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
