// Package controller moves the time together with the phase.
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
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	phase := "Running"
	if thing.Spec.Paused {
		phase = "Paused"
	}
	setPhase(&thing, phase)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setPhase(thing *thingapi.Thing, phase string) {
	if thing.Status.Phase == phase {
		return
	}
	now := metav1.Now()
	thing.Status.Phase = phase
	thing.Status.LastSync = &now
}
