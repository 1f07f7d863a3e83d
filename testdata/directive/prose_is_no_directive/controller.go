// Package wait writes about operatorvet:ignore, and has comments that look like
// one: with a space, in block form, of another tool.
package wait

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Ready func() bool
}

func (r *Reconciler) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	// operatorvet:ignore ctxloop would silence this, were it needed
	/*operatorvet:ignore ctxloop*/
	for !r.Ready() { //nolint:all
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return ctrl.Result{}, nil
}
