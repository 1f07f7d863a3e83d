// Package wait has been mended, but still has the comments from before.
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
	/* want "directive: .*suppresses no finding of ctxloop" */ //operatorvet:ignore ctxloop it takes a second
	for !r.Ready() {
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}

	/* want "directive: .*suppresses no finding of unstablewrite" */ //operatorvet:ignore ctxloop,unstablewrite only half of this
	for !r.Ready() {
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}
