// Package connect retries without a context something that gives up for good
// once the context is done, and is asked again half a minute later.
package connect

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v4"
)

type Connector struct {
	Dial func(ctx context.Context) error
}

func (c *Connector) Connect(ctx context.Context) error {
	return backoff.Retry(func() error { // want "ctxloop: .*only after"
		if err := ctx.Err(); err != nil {
			return backoff.Permanent(err)
		}
		return c.Dial(ctx)
	}, backoff.NewConstantBackOff(30*time.Second))
}
