// Package rewind asks the context in its predicates, in a local closure and by
// way of a helper, and pauses for less than a second in between.
package rewind

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

var errStopped = errors.New("server is stopped")

var pauses = wait.Backoff{Steps: 100, Duration: 500 * time.Millisecond}

type Instance struct {
	Run func(name string) error
}

func (i *Instance) Rewind(ctx context.Context) error {
	return retry.OnError(pauses, func(err error) bool {
		return shouldRetry(ctx, err)
	}, func() error { return i.Run("rewind") })
}

func (i *Instance) Connect(ctx context.Context) error {
	retriable := func(err error) bool {
		if ctx.Err() != nil {
			return false
		}
		return !errors.Is(err, errStopped)
	}
	return retry.OnError(pauses, retriable, func() error { return i.Run("connect") })
}

func shouldRetry(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	return !errors.Is(err, errStopped)
}
