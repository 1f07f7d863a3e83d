// Package controller searches a cached list for one object and copies from it.
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
	for _, part := range parts.Items {
		if part.Name == thing.Spec.TargetRef {
			thing.Status.Phase = fmt.Sprintf("backed by %s of size %d", part.Name, part.Spec.Size)
			break
		}
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
