// Package controller appends a condition on each pass and looks at the last
// one: that is a history, not a set by type.
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
	if n := len(thing.Status.Conditions); n > 0 {
		log.FromContext(ctx).Info("before", "reason", thing.Status.Conditions[n-1].Reason)
	}
	thing.Status.Conditions = append(thing.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Deployed",
		LastTransitionTime: metav1.Now()}) // want "unstablewrite: .*Now reaches Thing status.conditions"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
