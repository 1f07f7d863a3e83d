// Package controller asks builders behind an interface to update their object;
// one of them, in another package, ranges over a map.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/callees/args_order_behind_an_interface_of_builders/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, b := range resource.Builders(&thing) {
		obj, err := b.Build()
		if err != nil {
			return ctrl.Result{}, err
		}
		_, err = controllerutil.CreateOrUpdate(ctx, r.Client, obj, func() error {
			return b.Update(obj) // want "unstablewrite: .*"
		})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
