// Package client retries with the module's helper, which takes no context.
package client

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/retry_helper_of_another_package/attempt"
)

type Client struct {
	get func(ctx context.Context, path string) ([]byte, error)
}

func (c *Client) Health(ctx context.Context) ([]byte, error) {
	return attempt.Do(10, 5*time.Second, func() ([]byte, error) { // want "ctxloop: .*never observes"
		return c.get(ctx, "/health")
	})
}
