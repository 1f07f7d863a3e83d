// Package controller leaves by a helper that sets the phase, stamps and writes.
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
	if thing.Spec.Image == "" {
		return r.done(ctx, &thing, "Invalid")
	}
	if thing.Spec.Paused {
		return r.done(ctx, &thing, "Paused")
	}
	return r.done(ctx, &thing, "Running")
}

func (r *Reconciler) done(ctx context.Context, thing *thingapi.Thing, phase string) (ctrl.Result, error) {
	thing.Status.Phase = phase
	thing.Status.LastSync = &metav1.Time{Time: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}
