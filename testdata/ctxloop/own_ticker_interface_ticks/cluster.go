// Package cluster waits through an interface of its own that tests replace, in
// a retry function that no context reaches.
package cluster

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Ticks paces retries.
type Ticks interface {
	Tick()
	Stop()
}

type realTicks struct{ ticker *time.Ticker }

func (t *realTicks) Tick() { <-t.ticker.C }
func (t *realTicks) Stop() { t.ticker.Stop() }

type Reconciler struct {
	Running func(ctx context.Context, name string) (bool, error)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retry(5*time.Second, 10*time.Minute, func() (bool, error) {
		running, err := r.Running(ctx, req.Name)
		return running && err == nil, nil
	})
	return ctrl.Result{}, err
}

func retry(interval, timeout time.Duration, f func() (bool, error)) error {
	return retryWorker(interval, timeout, &realTicks{time.NewTicker(interval)}, f)
}

func retryWorker(interval, timeout time.Duration, ticks Ticks, f func() (bool, error)) error {
	defer ticks.Stop()
	for i := timeout / interval; i > 0; i-- { // want "ctxloop: .*never observes"
		ok, err := f()
		if ok || err != nil {
			return err
		}
		ticks.Tick()
	}
	return errors.New("not in time")
}
