// Package lease waits by the clock that its tests replace, and by its context.
package lease

import (
	"context"
	"time"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clock clock.WithTicker
	Held  func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Held(req.Name) {
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		case <-r.Clock.After(15 * time.Second):
		}
	}
	return ctrl.Result{}, r.renew(ctx, req.Name)
}

func (r *Reconciler) renew(ctx context.Context, name string) error {
	ticker := r.Clock.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for !r.Held(name) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C():
		}
	}
	return nil
}
