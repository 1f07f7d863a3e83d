// Package controller takes over reason and message of a condition whose status
// is the same, and the whole of one whose status is new.
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
	var part thingapi.Part
	if err := r.Get(ctx, req.NamespacedName, &part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := part.DeepCopy()
	setCondition(&part.Status.Conditions, metav1.Condition{
		Type:               "Mounted",
		Status:             metav1.ConditionTrue,
		Reason:             "Bound",
		LastTransitionTime: metav1.Now(),
	})
	return ctrl.Result{}, r.Status().Patch(ctx, &part, client.MergeFrom(base))
}

func setCondition(all *[]metav1.Condition, c metav1.Condition) {
	for i, old := range *all {
		if old.Type == c.Type {
			if old.Status != c.Status {
				(*all)[i] = c
			} else {
				(*all)[i].Reason = c.Reason
				(*all)[i].Message = c.Message
			}
			return
		}
	}
	*all = append(*all, c)
}
