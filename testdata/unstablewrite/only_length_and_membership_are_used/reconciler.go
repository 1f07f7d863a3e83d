// Package controller collects names in map order and asks how many there are and
// whether one is among them.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
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
	var enabled []string
	for name, value := range thing.Spec.Config {
		if value == "enabled" {
			enabled = append(enabled, name)
		}
	}
	thing.Status.ReadyReplicas = int32(len(enabled))
	thing.Status.Phase = "Plain"
	if slices.Contains(enabled, "tls") {
		thing.Status.Phase = "Encrypted"
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
