// Package controller finds the condition with meta.FindStatusCondition and
// overwrites it, with the old time where the status is the same.
package controller

import (
	"context"
	"time"

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
	setStatusCondition(&thing.Status.Conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setStatusCondition(conditions *[]metav1.Condition, next metav1.Condition) bool {
	existing := meta.FindStatusCondition(*conditions, next.Type)
	if existing == nil {
		next.LastTransitionTime = metav1.NewTime(time.Now())
		*conditions = append(*conditions, next)
		return true
	}
	changed := existing.Status != next.Status
	if changed {
		next.LastTransitionTime = metav1.NewTime(time.Now())
	} else {
		next.LastTransitionTime = existing.LastTransitionTime
	}
	*existing = next
	return changed
}
