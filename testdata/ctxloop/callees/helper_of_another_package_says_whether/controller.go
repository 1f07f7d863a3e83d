// Package controller paces its loops with a helper that says whether to go on. One
// of the loops does not ask.
package controller

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/helper_of_another_package_says_whether/pace"
)

type Reconciler struct {
	Step func(name string) (more bool)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.asks(ctx, req.Name)
	r.doesNotAsk(ctx, req.Name)
	return ctrl.Result{}, ctx.Err()
}

func (r *Reconciler) asks(ctx context.Context, name string) {
	for r.Step(name) {
		if !pace.Sleep(ctx, time.Minute) {
			return
		}
	}
}

func (r *Reconciler) doesNotAsk(ctx context.Context, name string) {
	for r.Step(name) { // want "ctxloop: "
		pace.Sleep(ctx, time.Minute)
	}
}
