// Package controller asks whether any entry of a map has a property; whichever
// is met first, the answer is the same.
package controller

import (
	"context"
	"strings"

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
	thing.Status.Phase = "Quiet"
	if anyDebug(thing.Spec.Config) {
		thing.Status.Phase = "Debugging"
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func anyDebug(config map[string]string) bool {
	for key, value := range config {
		if strings.HasPrefix(key, "debug") && value != "off" {
			return true
		}
	}
	return false
}
