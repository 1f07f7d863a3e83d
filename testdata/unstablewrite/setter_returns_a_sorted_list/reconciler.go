// Package controller replaces its conditions by what a function returns: the old
// ones by index, with a new time where the status changed, in order of type.
package controller

import (
	"context"
	"sort"

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
	thing.Status.Conditions = withCondition(thing.Status.Conditions, "Ready", metav1.ConditionTrue)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func withCondition(conditions []metav1.Condition, kind string, status metav1.ConditionStatus) []metav1.Condition {
	index := -1
	for i, c := range conditions {
		if c.Type == kind {
			index = i
			break
		}
	}
	if index < 0 {
		conditions = append(conditions, metav1.Condition{Type: kind, Status: status, LastTransitionTime: metav1.Now()})
		sort.Slice(conditions, func(i, j int) bool { return conditions[i].Type < conditions[j].Type })
		return conditions
	}
	c := &conditions[index]
	if c.Status != status {
		c.LastTransitionTime = metav1.Now()
	}
	c.Status = status
	return conditions
}
