// Package hook retries without the option that brings the context, whose
// default is one that is never done.
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
	return retry.Do(func() error { return h.Call(ctx) }) // want "ctxloop: .*never observes"
}

func (h *Hook) Slow(ctx context.Context) error {
	return retry.Do( // want "ctxloop: .*never observes"
		func() error { return h.Call(ctx) },
		retry.Attempts(20),
		retry.Delay(2*time.Second),
		retry.LastErrorOnly(true),
	)
}

func (h *Hook) FromVariable(ctx context.Context) (int, error) {
	opts := []retry.Option{retry.Attempts(0), retry.DelayType(retry.FixedDelay)}
	opts = append(opts, retry.Delay(5*time.Second))
	return retry.DoWithData(func() (int, error) { return 0, h.Call(ctx) }, opts...) // want "ctxloop: .*never observes"
}

func (h *Hook) FromHelper(ctx context.Context) error {
	return retry.Do(func() error { return h.Call(ctx) }, options()...) // want "ctxloop: .*never observes"
}

func options() []retry.Option {
	return []retry.Option{retry.Attempts(30), retry.Delay(time.Second)}
}
