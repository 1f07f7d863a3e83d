// Package controller passes through steps of another package to a wait in a
// third one.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/packages_below/steps"
	ctrl "sigs.k8s.io/controller-runtime"
)

// HelperTwoPackagesBelowObservesContext passes its context down to the wait,
// two packages away.
type HelperTwoPackagesBelowObservesContext struct {
	Steps *steps.Steps
}

func (r *HelperTwoPackagesBelowObservesContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Steps.ScaleIn(ctx, req.Name)
}

// SleepTwoPackagesBelowReconcile reconciles through steps that take no context;
// the one that sleeps is two packages away.
type SleepTwoPackagesBelowReconcile struct {
	Steps *steps.SleepingSteps
}

func (r *SleepTwoPackagesBelowReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := ctx.Err(); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Steps.ScaleIn(req.Name) // want "ctxloop: .*never observes"
}
