// Package controller lists its parts, through a helper, into the status.
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
	parts, err := r.partsOf(ctx, &thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = make([]string, len(parts))
	for i := range parts {
		thing.Status.Members[i] = parts[i].Name
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *Reconciler) partsOf(ctx context.Context, thing *thingapi.Thing) ([]thingapi.Part, error) {
	list := &thingapi.PartList{}
	opts := []client.ListOption{client.InNamespace(thing.Namespace), client.MatchingLabels{"thing": thing.Name}}
	if err := r.List(ctx, list, opts...); err != nil { // want "unstablewrite: list order .*Thing"
		return nil, err
	}
	return list.Items, nil
}
