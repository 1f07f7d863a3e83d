// Package client retries with the module's helper, which takes the context.
package client

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/retry_helper_of_another_package_takes_context/attempt"
)

type Client struct {
	get func(ctx context.Context, path string) ([]byte, error)
}

func (c *Client) Health(ctx context.Context) ([]byte, error) {
	return attempt.Do(ctx, 10, 5*time.Second, func(ctx context.Context) ([]byte, error) {
		return c.get(ctx, "/health")
	})
}

func (c *Client) Alive(ctx context.Context) error {
	for {
		if _, err := c.get(ctx, "/alive"); err == nil {
			return nil
		}
		if err := attempt.Sleep(ctx, time.Minute); err != nil {
			return err
		}
	}
}
