// Package controller computes a status and carries it into the latest version of
// the object, again on each conflict.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/client-go/util/retry"
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
	status := thingapi.ThingStatus{Phase: "Ready", ObservedGeneration: thing.Generation}
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*Thing"
		status.Members = append(status.Members, name)
	}
	return ctrl.Result{}, r.saveStatus(ctx, req, status)
}

func (r *Reconciler) saveStatus(ctx context.Context, req ctrl.Request, status thingapi.ThingStatus) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		latest := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, latest); err != nil {
			return err
		}
		latest.Status = status
		return r.Status().Update(ctx, latest)
	})
}
