// Package hook retries with the option that brings the context, written at the
// call, kept in a variable, or made by a helper.
package hook

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
)

type Hook struct {
	Call func(ctx context.Context) error
}

func (h *Hook) Plain(ctx context.Context) error {
	return retry.Do(
		func() error { return h.Call(ctx) },
		retry.Attempts(20),
		retry.Delay(2*time.Second),
		retry.Context(ctx),
	)
}

func (h *Hook) FromVariable(ctx context.Context) (int, error) {
	opts := []retry.Option{retry.Attempts(0), retry.Context(ctx)}
	opts = append(opts, retry.Delay(5*time.Second))
	return retry.DoWithData(func() (int, error) { return 0, h.Call(ctx) }, opts...)
}

func (h *Hook) FromHelper(ctx context.Context) error {
	return retry.Do(func() error { return h.Call(ctx) }, options(ctx)...)
}

func options(ctx context.Context) []retry.Option {
	return []retry.Option{retry.Context(ctx), retry.Attempts(30), retry.Delay(time.Second)}
}
