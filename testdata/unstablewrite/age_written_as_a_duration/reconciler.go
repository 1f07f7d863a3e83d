// Package controller writes how old the object is, which is another answer each
// time.
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

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	age := time.Since(thing.CreationTimestamp.Time) // want "unstablewrite: time\\.Since .*Thing"
	thing.Status.Phase = "running for " + age.String()
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
