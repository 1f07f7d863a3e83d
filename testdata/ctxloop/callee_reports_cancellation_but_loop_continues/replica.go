// Package replica waits with a helper that notices cancellation and says so,
// and goes on all the same.
package replica

import (
	"context"
	"log"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Lag func(name string) int
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Lag(req.Name) > 0 { // want "ctxloop: .*never observes"
		if err := pause(ctx, 5*time.Second); err != nil {
			log.Printf("replica %s: %v", req.Name, err)
			continue
		}
	}
	for r.Lag(req.Name) > 0 { // want "ctxloop: .*never observes"
		_ = pause(ctx, 5*time.Second)
	}
	return ctrl.Result{}, nil
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
