// Package controller sets a condition by a function of another package, which
// keeps the time unless the status changes.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/condition_kept_by_a_setter_of_the_api_package/conditions"
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
	base := thing.DeepCopy()
	conditions.Mark(&thing.Status.Conditions, "Ready", metav1.ConditionTrue)
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}
