// Package controller uses a fluent builder of its own; WithEnv ranges over the
// map that it is given.
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
	deploy := newDeployment(&thing).WithImage(thing.Spec.Image).WithEnv(thing.Spec.Config).Build()
	return ctrl.Result{}, r.Update(ctx, deploy)
}
