// Package controller uses the first item of a cached list after it made sure that
// there is only one.
package controller

import (
	"context"
	"fmt"

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
	var parts thingapi.PartList
	if err := r.List(ctx, &parts, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	if len(parts.Items) != 1 {
		return ctrl.Result{}, fmt.Errorf("%d parts, want one", len(parts.Items))
	}
	thing.Status.Phase = "Uses " + parts.Items[0].Name
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
