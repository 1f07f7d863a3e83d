// Package controller has the clock in a field, so that tests may replace it.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	now func() time.Time
}

func NewReconciler(c client.Client) *Reconciler {
	return &Reconciler{Client: c, now: time.Now}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.now()} // want "unstablewrite: .*[nN]ow .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
