// Package controller stamps a condition that differs from the stored one, and
// writes only then.
package controller

import (
	"context"

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
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Probed", Message: "answers"}
	if !setCondition(&part.Status.Conditions, ready) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, &part)
}

func setCondition(all *[]metav1.Condition, c metav1.Condition) bool {
	old := meta.FindStatusCondition(*all, c.Type)
	if old != nil && old.Status == c.Status && old.Reason == c.Reason && old.Message == c.Message {
		return false
	}
	c.LastTransitionTime = metav1.Now()
	if old == nil {
		*all = append(*all, c)
	} else {
		*old = c
	}
	return true
}
