// Package attempt retries.
package attempt

import (
	"context"
	"time"
)

// Do calls f until it succeeds or ctx is done, n times at most.
func Do[T any](ctx context.Context, n int, pause time.Duration, f func(context.Context) (T, error)) (T, error) {
	var zero T
	var last error
	for range n {
		v, err := f(ctx)
		if err == nil {
			return v, nil
		}
		last = err
		if err := Sleep(ctx, pause); err != nil {
			return zero, err
		}
	}
	return zero, last
}

// Sleep sleeps for d, or until ctx is done and then says so.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// DoTimes calls f until it succeeds, n times at most, with pauses in between.
func DoTimes(n int, pause time.Duration, f func() error) error {
	var err error
	for range n {
		if err = f(); err == nil {
			break
		}
		time.Sleep(pause)
	}
	return err
}

// DoWithoutContext calls f until it succeeds, n times at most, with pauses in between.
func DoWithoutContext[T any](n int, pause time.Duration, f func() (T, error)) (T, error) {
	var last error
	for range n {
		v, err := f()
		if err == nil {
			return v, nil
		}
		last = err
		time.Sleep(pause)
	}
	var zero T
	return zero, last
}
