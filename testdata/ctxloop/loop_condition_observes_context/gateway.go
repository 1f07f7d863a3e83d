// Package gateway leaves its loops by their conditions: an error that a wait
// returned, a flag that the Done case sets, a question asked of a helper.
package gateway

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Programmed func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var err error
	for err == nil && !r.Programmed(req.Name) {
		err = pause(ctx, 10*time.Second)
	}
	if err != nil {
		return ctrl.Result{}, err
	}

	stopped := false
	for !stopped && !r.Programmed(req.Name) {
		select {
		case <-ctx.Done():
			stopped = true
		case <-time.After(10 * time.Second):
		}
	}

	for alive(ctx) && !r.Programmed(req.Name) {
		time.Sleep(time.Second)
	}
	return ctrl.Result{}, ctx.Err()
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func alive(ctx context.Context) bool {
	return ctx.Err() == nil
}
