// Package labels tries ten times with pauses that its context ends, and sets the
// counter to its limit when it is done: once cancelled, it is soon at the end.
package labels

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

var errUnknown = errors.New("unknown")

type Reconciler struct {
	Label func(name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	const limit = 10
	for i := 0; i < limit; i++ {
		switch r.Label(req.Name) {
		case nil, errUnknown:
			i = limit
		default:
			pause(ctx, 5*time.Second)
		}
	}
	return ctrl.Result{}, nil
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(d):
		return false
	}
}
