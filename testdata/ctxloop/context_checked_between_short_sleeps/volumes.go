// Package volumes looks at its context once a round and sleeps a second at
// most: a delay that nobody minds.
package volumes

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Attached func(volume string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for ctx.Err() == nil && !r.Attached(req.Name) {
		time.Sleep(time.Second)
	}
	if err := ctx.Err(); err != nil {
		return ctrl.Result{}, err
	}
	for ; r.Attached(req.Name); <-time.After(500 * time.Millisecond) {
		if err := ctx.Err(); err != nil {
			return ctrl.Result{}, err
		}
	}
	for r.Attached(req.Name) {
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		default:
			time.Sleep(200 * time.Millisecond)
		}
	}
	return ctrl.Result{}, nil
}
