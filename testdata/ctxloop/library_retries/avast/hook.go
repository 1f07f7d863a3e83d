// Package hook retries with avast/retry-go.
package hook

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
)

// AvastRetryWithContext retries with the option that brings the context,
// written at the call, kept in a variable, or made by a helper.
type AvastRetryWithContext struct {
	Call func(ctx context.Context) error
}

func (h *AvastRetryWithContext) Plain(ctx context.Context) error {
	return retry.Do(
		func() error { return h.Call(ctx) },
		retry.Attempts(20),
		retry.Delay(2*time.Second),
		retry.Context(ctx),
	)
}

func (h *AvastRetryWithContext) FromVariable(ctx context.Context) (int, error) {
	opts := []retry.Option{retry.Attempts(0), retry.Context(ctx)}
	opts = append(opts, retry.Delay(5*time.Second))
	return retry.DoWithData(func() (int, error) { return 0, h.Call(ctx) }, opts...)
}

func (h *AvastRetryWithContext) FromHelper(ctx context.Context) error {
	return retry.Do(func() error { return h.Call(ctx) }, options(ctx)...)
}

func options(ctx context.Context) []retry.Option {
	return []retry.Option{retry.Context(ctx), retry.Attempts(30), retry.Delay(time.Second)}
}

// AvastRetryWithoutContext retries without the option that brings the context,
// whose default is one that is never done.
type AvastRetryWithoutContext struct {
	Call func(ctx context.Context) error
}

func (h *AvastRetryWithoutContext) Plain(ctx context.Context) error {
	return retry.Do(func() error { return h.Call(ctx) }) // want "ctxloop: .*never observes"
}

func (h *AvastRetryWithoutContext) Slow(ctx context.Context) error {
	return retry.Do( // want "ctxloop: .*never observes"
		func() error { return h.Call(ctx) },
		retry.Attempts(20),
		retry.Delay(2*time.Second),
		retry.LastErrorOnly(true),
	)
}

func (h *AvastRetryWithoutContext) FromVariable(ctx context.Context) (int, error) {
	opts := []retry.Option{retry.Attempts(0), retry.DelayType(retry.FixedDelay)}
	opts = append(opts, retry.Delay(5*time.Second))
	return retry.DoWithData(func() (int, error) { return 0, h.Call(ctx) }, opts...) // want "ctxloop: .*never observes"
}

func (h *AvastRetryWithoutContext) FromHelper(ctx context.Context) error {
	return retry.Do(func() error { return h.Call(ctx) }, optionsWithoutContext()...) // want "ctxloop: .*never observes"
}

func optionsWithoutContext() []retry.Option {
	return []retry.Option{retry.Attempts(30), retry.Delay(time.Second)}
}
