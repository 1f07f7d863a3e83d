// Package controller calls a function of another package that waits with a
// function that only the options call a wait.
package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/options/functions_that_the_options_call_waits/drain"
)

type Reconciler struct {
	Drainer *drain.Drainer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Drainer.EvictBlindly() // want "ctxloop: .*EvictBlindly .*drain.go:.* never observes ctx"
}
