// Package controller replaces a condition, with a new time, only if its status
// or reason changed.
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
	base := part.DeepCopy()
	status := metav1.ConditionFalse
	if part.Status.Ready {
		status = metav1.ConditionTrue
	}
	current := meta.FindStatusCondition(part.Status.Conditions, "Ready")
	if current == nil || current.Status != status || current.Reason != "Probed" {
		meta.RemoveStatusCondition(&part.Status.Conditions, "Ready")
		part.Status.Conditions = append(part.Status.Conditions, metav1.Condition{
			Type:               "Ready",
			Status:             status,
			Reason:             "Probed",
			LastTransitionTime: metav1.Now(),
		})
	}
	return ctrl.Result{}, r.Status().Patch(ctx, &part, client.MergeFrom(base))
}
