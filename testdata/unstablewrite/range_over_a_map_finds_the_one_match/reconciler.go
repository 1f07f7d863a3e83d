// Package controller looks through a map for the one entry with a given value.
package controller

import (
	"context"

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
	thing.Status.Phase = "Idle"
	if name, ok := keyOf(thing.Spec.Config, thing.Spec.TargetRef); ok {
		thing.Status.Phase = "Targets " + name
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func keyOf(m map[string]string, value string) (string, bool) {
	for k, v := range m {
		if v == value {
			return k, true
		}
	}
	return "", false
}
