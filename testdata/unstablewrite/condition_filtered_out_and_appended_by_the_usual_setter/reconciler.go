// Package controller sets a condition as Kubernetes' own controllers do: nothing
// happens unless status or reason changed, and the time is kept with the status.
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
	setCondition(&thing.Status, *newCondition("Progressing", metav1.ConditionTrue, "Rollout"))
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func newCondition(kind string, status metav1.ConditionStatus, reason string) *metav1.Condition {
	return &metav1.Condition{Type: kind, Status: status, Reason: reason, LastTransitionTime: metav1.Now()}
}

func getCondition(status thingapi.ThingStatus, kind string) *metav1.Condition {
	for i := range status.Conditions {
		if c := status.Conditions[i]; c.Type == kind {
			return &c
		}
	}
	return nil
}

func setCondition(status *thingapi.ThingStatus, condition metav1.Condition) {
	current := getCondition(*status, condition.Type)
	if current != nil && current.Status == condition.Status && current.Reason == condition.Reason {
		return
	}
	if current != nil && current.Status == condition.Status {
		condition.LastTransitionTime = current.LastTransitionTime
	}
	var others []metav1.Condition
	for _, c := range status.Conditions {
		if c.Type != condition.Type {
			others = append(others, c)
		}
	}
	status.Conditions = append(others, condition)
}
