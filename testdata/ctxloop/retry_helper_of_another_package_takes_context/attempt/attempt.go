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
