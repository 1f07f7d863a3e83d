// Package controller sets a condition by a method of the API type, which takes
// the old time unless the status changed.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/conditions/setter_of_the_api_type_keeps_the_time/api"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var gadget api.Gadget
	if err := r.Get(ctx, req.NamespacedName, &gadget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	gadget.SetCondition("Ready", metav1.ConditionTrue, "Up")
	return ctrl.Result{}, r.Status().Update(ctx, &gadget)
}
