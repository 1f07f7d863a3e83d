// Package controller sorts the items of a cached list in place.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var parts thingapi.PartList
	if err := r.List(ctx, &parts, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	sort.Slice(parts.Items, func(i, j int) bool { return parts.Items[i].Name < parts.Items[j].Name })

	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Members = nil
	for _, part := range parts.Items {
		thing.Status.Members = append(thing.Status.Members, part.Name)
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
