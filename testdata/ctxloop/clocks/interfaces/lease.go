// Package lease waits by interfaces that tests replace.
package lease

import (
	"context"
	"errors"
	"time"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
)

// ClockInterfaceBesideDoneCase waits by the clock that its tests replace, and
// by its context.
type ClockInterfaceBesideDoneCase struct {
	Clock clock.WithTicker
	Held  func(name string) bool
}

func (r *ClockInterfaceBesideDoneCase) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Held(req.Name) {
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		case <-r.Clock.After(15 * time.Second):
		}
	}
	return ctrl.Result{}, r.renew(ctx, req.Name)
}

func (r *ClockInterfaceBesideDoneCase) renew(ctx context.Context, name string) error {
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

// ClockInterfaceSleeps waits by the clock that its tests replace.
type ClockInterfaceSleeps struct {
	Clock clock.Clock
	Held  func(name string) bool
}

func (r *ClockInterfaceSleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Held(req.Name) { // want "ctxloop: .*never observes"
		r.Clock.Sleep(15 * time.Second)
	}
	for !r.Held(req.Name) { // want "ctxloop: .*never observes"
		<-r.Clock.After(15 * time.Second)
	}
	return ctrl.Result{}, nil
}

func (r *ClockInterfaceSleeps) renew(ctx context.Context, name string) error {
	timer := r.Clock.NewTimer(10 * time.Second)
	defer timer.Stop()
	for r.Held(name) { // want "ctxloop: .*never observes"
		<-timer.C()
		timer.Reset(10 * time.Second)
	}
	return nil
}

// Ticks paces retries.
type Ticks interface {
	Tick()
	Stop()
}

type realTicks struct{ ticker *time.Ticker }

func (t *realTicks) Tick() { <-t.ticker.C }

func (t *realTicks) Stop() { t.ticker.Stop() }

// OwnTickerInterfaceTicks waits through an interface of its own that tests
// replace, in a retry function that no context reaches.
type OwnTickerInterfaceTicks struct {
	Running func(ctx context.Context, name string) (bool, error)
}

func (r *OwnTickerInterfaceTicks) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
