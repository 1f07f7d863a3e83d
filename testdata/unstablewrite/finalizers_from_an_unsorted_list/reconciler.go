// Package controller edits finalizers as a set and writes them back as the set's
// unsorted list.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

const finalizer = "things.example.com/cleanup"

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	finalizers := sets.New(thing.Finalizers...)
	finalizers.Insert(finalizer)
	thing.Finalizers = finalizers.UnsortedList() // want "unstablewrite: (map order|.*UnsortedList) .*Thing"
	return ctrl.Result{}, r.Update(ctx, &thing)
}
