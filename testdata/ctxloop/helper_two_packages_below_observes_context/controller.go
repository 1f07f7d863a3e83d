// Package controller passes its context down to the wait, two packages away.
package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/helper_two_packages_below_observes_context/steps"
)

type Reconciler struct {
	Steps *steps.Steps
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Steps.ScaleIn(ctx, req.Name)
}
