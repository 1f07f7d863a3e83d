// Package controller stamps every new condition, but puts it in place of the old
// one only if something besides the time differs.
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
	r.setCondition(&thing, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", Message: "up"})
	r.setCondition(&thing, metav1.Condition{Type: "Progressing", Status: metav1.ConditionFalse, Reason: "Done"})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *Reconciler) setCondition(thing *thingapi.Thing, c metav1.Condition) {
	c.LastTransitionTime = metav1.Now()
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type != c.Type {
			continue
		}
		if thing.Status.Conditions[i].Status != c.Status ||
			thing.Status.Conditions[i].Reason != c.Reason ||
			thing.Status.Conditions[i].Message != c.Message {
			thing.Status.Conditions[i] = c
		}
		return
	}
	thing.Status.Conditions = append(thing.Status.Conditions, c)
}
