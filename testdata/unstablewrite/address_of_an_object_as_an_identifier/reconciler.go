// Package controller uses a pointer's address as an identifier; each read gives
// another one.
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
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Hash = fmt.Sprintf("%s-%p", thing.Name, thing) // want "unstablewrite: .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}
