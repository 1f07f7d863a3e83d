// Package controller sorts backwards, which is an order too.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
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
	versions := lo.Keys(thing.Spec.Config)
	sort.Sort(sort.Reverse(sort.StringSlice(versions)))
	base := thing.DeepCopy()
	thing.Status.Members = versions
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}
