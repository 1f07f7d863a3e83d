// Package controller calls a helper that takes its context and makes nothing of
// it. The loop is where to repair that.
package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/helper_of_another_package_has_the_context/lb"
)

type Reconciler struct {
	Balancers lb.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Balancers.AwaitActive(ctx, req.Name)
}
