// Package retry has a retry helper of its own, whose loop knows the caller's
// context only through the callback, and retries that callback's errors.
package retry

import (
	"context"
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type options struct {
	attempts int
	delay    time.Duration
	factor   float64
}

type Reconciler struct {
	Ping func(ctx context.Context, name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retryWithBackoff(options{attempts: 8, delay: time.Second, factor: 2}, func() error {
		return r.Ping(ctx, req.Name)
	})
	return ctrl.Result{}, err
}

func retryWithBackoff(o options, f func() error) error {
	var err error
	for i := 0; i < o.attempts; i++ { // want "ctxloop: .*never observes"
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(o.delay)
		o.delay = time.Duration(float64(o.delay) * o.factor)
	}
	return fmt.Errorf("after %d attempts: %w", o.attempts, err)
}
