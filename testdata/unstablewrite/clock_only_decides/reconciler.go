// Package controller compares the time with a deadline; what it writes is one of
// two words.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

const lifetime = 48 * time.Hour

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deadline := thing.CreationTimestamp.Add(lifetime)
	thing.Status.Phase = "Fresh"
	if time.Now().After(deadline) {
		thing.Status.Phase = "Stale"
	}
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Until(deadline)}, nil
}
