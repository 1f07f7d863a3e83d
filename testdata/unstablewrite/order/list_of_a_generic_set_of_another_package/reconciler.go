// Package controller takes the elements of a generic set, which has no order and
// lives in another package.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/order/list_of_a_generic_set_of_another_package/set"
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
	hosts := set.Of(thing.Spec.Hosts...)
	hosts.Add(thing.Name + ".example.com")
	thing.Status.Members = hosts.Elements() // want "unstablewrite: .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
