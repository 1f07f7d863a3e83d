// Package connect retries without a context, every half second, something that
// gives up for good once the context is done.
package connect

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

type Connector struct {
	Dial func(ctx context.Context) error
}

func (c *Connector) Predicate(ctx context.Context) error {
	return retry.Do(
		func() error { return c.Dial(ctx) },
		retry.Attempts(120),
		retry.Delay(500*time.Millisecond),
		retry.DelayType(retry.FixedDelay),
		retry.RetryIf(func(error) bool { return ctx.Err() == nil }),
	)
}

func (c *Connector) Unrecoverable(ctx context.Context) error {
	return retry.Do(func() error {
		if err := ctx.Err(); err != nil {
			return retry.Unrecoverable(err)
		}
		return c.Dial(ctx)
	}, retry.Attempts(120), retry.Delay(500*time.Millisecond), retry.DelayType(retry.FixedDelay))
}

func (c *Connector) Permanent(ctx context.Context) error {
	return backoff.Retry(func() error {
		if err := ctx.Err(); err != nil {
			return backoff.Permanent(err)
		}
		return c.Dial(ctx)
	}, backoff.WithMaxRetries(backoff.NewConstantBackOff(500*time.Millisecond), 120))
}
