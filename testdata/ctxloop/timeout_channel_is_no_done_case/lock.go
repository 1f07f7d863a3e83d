// Package lock bounds its wait by a channel of its own, which fires in ten
// minutes and not when the context is done.
package lock

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	TryLock func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	timeout := time.After(10 * time.Minute)
	ticker := time.NewTicker(5 * time.Second)
	defer ticker.Stop()
	for { // want "ctxloop: .*never observes"
		select {
		case <-timeout:
			return ctrl.Result{}, errors.New("lock is held for too long")
		case <-ticker.C:
			if r.TryLock(req.Name) {
				return ctrl.Result{}, nil
			}
		}
	}
}
