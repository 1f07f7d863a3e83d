// Package controller empties the conditions first, so that SetStatusCondition
// finds no old time to keep.
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
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = nil
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{ // want "unstablewrite: .*Thing"
		Type:   "Ready",
		Status: metav1.ConditionTrue,
		Reason: "Reconciled",
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
