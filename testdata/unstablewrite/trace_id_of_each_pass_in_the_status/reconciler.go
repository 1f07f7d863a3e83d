// Package controller gives each pass an id and stores it in the status.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	utiluuid "k8s.io/apimachinery/pkg/util/uuid"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pass := string(utiluuid.NewUUID()) // want "unstablewrite: uuid\\.NewUUID .*Thing"
	ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("pass", pass))

	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	log.FromContext(ctx).Info("reconciling")
	thing.Status.Phase = "reconciled-by-" + pass
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
