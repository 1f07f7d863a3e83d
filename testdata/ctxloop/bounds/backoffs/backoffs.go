// Package backoffs sleeps as backoffs and callers say.
package backoffs

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

// ShortWaitDecidedByCaller calls retry helpers that would wait for as long as
// they are told to, and tells them to wait for less than a second in all.
type ShortWaitDecidedByCaller struct {
	TryLock func(name string) bool
}

func (r *ShortWaitDecidedByCaller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	locked := func() bool { return r.TryLock(req.Name) }
	if err := retry(5, 100*time.Millisecond, locked); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, poll(50*time.Millisecond, time.Second, locked)
}

func retry(n int, pause time.Duration, f func() bool) error {
	for range n {
		if f() {
			return nil
		}
		time.Sleep(pause)
	}
	return errors.New("locked")
}

func poll(interval, timeout time.Duration, f func() bool) error {
	return wait.PollImmediate(interval, timeout, func() (bool, error) { return f(), nil })
}

// SleepsThroughABackoffByHand walks through backoffs itself and sleeps what
// they say.
type SleepsThroughABackoffByHand struct {
	Attach func(ctx context.Context, volume string) error
}

func (r *SleepsThroughABackoffByHand) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	steps := wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 0.1, Steps: 9}
	for steps.Steps > 0 { // want "ctxloop: .*never observes"
		if r.Attach(ctx, req.Name) == nil {
			return ctrl.Result{}, nil
		}
		time.Sleep(steps.Step())
	}
	return ctrl.Result{}, r.again(ctx, req.Name)
}

func (r *SleepsThroughABackoffByHand) again(ctx context.Context, volume string) error {
	policy := backoff.NewExponentialBackOff()
	for { // want "ctxloop: .*never observes"
		if r.Attach(ctx, volume) == nil {
			return nil
		}
		next := policy.NextBackOff()
		if next == backoff.Stop {
			return errors.New("volume is not attached")
		}
		time.Sleep(next)
	}
}
