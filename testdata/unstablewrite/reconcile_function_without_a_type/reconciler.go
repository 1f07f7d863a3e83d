// Package controller hands a function literal to the builder.
package controller

import (
	"context"

	"github.com/google/uuid"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Setup adds the controller to mgr.
func Setup(mgr ctrl.Manager) error {
	c := mgr.GetClient()
	run := func(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
		var thing thingapi.Thing
		if err := c.Get(ctx, req.NamespacedName, &thing); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		thing.Status.Hash = uuid.NewString() // want "unstablewrite: uuid\\.NewString .*Thing"
		return reconcile.Result{}, c.Status().Update(ctx, &thing)
	}
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(reconcile.Func(run))
}
