// Package controller stamps on transitions that a switch over the old phase
// finds.
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
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch thing.Status.Phase {
	case "":
		thing.Status.Phase = "Pending"
		thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	case "Pending":
		thing.Status.Phase = "Running"
		thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
