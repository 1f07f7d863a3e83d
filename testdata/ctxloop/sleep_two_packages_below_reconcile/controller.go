// Package controller reconciles through steps that take no context; the one
// that sleeps is two packages away.
package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/sleep_two_packages_below_reconcile/steps"
)

type Reconciler struct {
	Steps *steps.Steps
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := ctx.Err(); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Steps.ScaleIn(req.Name) // want "ctxloop: .*never observes"
}
