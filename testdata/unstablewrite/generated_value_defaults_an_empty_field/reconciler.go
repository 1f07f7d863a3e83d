// Package controller defaults an empty string by a function that takes the old
// value.
package controller

import (
	"context"

	"github.com/google/uuid"
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
	thing.Status.Hash = orRandom(thing.Status.Hash)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func orRandom(value string) string {
	if value == "" {
		value = uuid.NewString()
	}
	return value
}
