// Package database retries with cenkalti/backoff.
package database

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
)

// CenkaltiBackoffWithContext hands its context to the policy, inside or outside
// of the limit of tries.
type CenkaltiBackoffWithContext struct {
	Ping func(ctx context.Context) error
}

func (d *CenkaltiBackoffWithContext) Outside(ctx context.Context) error {
	policy := backoff.WithContext(backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 30), ctx)
	return backoff.Retry(func() error { return d.Ping(ctx) }, policy)
}

func (d *CenkaltiBackoffWithContext) Inside(ctx context.Context) error {
	policy := backoff.WithMaxRetries(backoff.WithContext(backoff.NewConstantBackOff(5*time.Second), ctx), 30)
	return backoff.RetryNotify(func() error { return d.Ping(ctx) }, policy, func(error, time.Duration) {})
}

func (d *CenkaltiBackoffWithContext) FromHelper(ctx context.Context) error {
	return backoff.Retry(func() error { return d.Ping(ctx) }, policy(ctx))
}

func policy(ctx context.Context) backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.WithContext(b, ctx)
}

func (d *CenkaltiBackoffWithContext) Ticker(ctx context.Context) error {
	ticker := backoff.NewTicker(policy(ctx))
	defer ticker.Stop()
	err := d.Ping(ctx)
	for range ticker.C { // closed by this library when ctx is done
		if err = d.Ping(ctx); err == nil {
			break
		}
	}
	return err
}

func (d *CenkaltiBackoffWithContext) Version5(ctx context.Context) error {
	_, err := backoff5.Retry(ctx, func() (bool, error) {
		return true, d.Ping(ctx)
	}, backoff5.WithMaxElapsedTime(time.Hour))
	return err
}

// CenkaltiBackoffWithoutContext retries with policies that know no context. The
// operations know one, but their errors are what is retried.
type CenkaltiBackoffWithoutContext struct {
	Ping func(ctx context.Context) error
}

func (d *CenkaltiBackoffWithoutContext) Exponential(ctx context.Context) error {
	return backoff.Retry(func() error { // want "ctxloop: .*never observes"
		return d.Ping(ctx)
	}, backoff.NewExponentialBackOff())
}

func (d *CenkaltiBackoffWithoutContext) Bounded(ctx context.Context) error {
	policy := backoff.WithMaxRetries(backoff.NewConstantBackOff(5*time.Second), 30)
	return backoff.RetryNotify( // want "ctxloop: .*never observes [a-zA-Z ]*, for up to 2m30s;"
		func() error { return d.Ping(ctx) },
		policy,
		func(error, time.Duration) {},
	)
}

func (d *CenkaltiBackoffWithoutContext) WithData(ctx context.Context) (int, error) {
	policy := backoff.NewExponentialBackOff()
	policy.MaxElapsedTime = 2 * time.Minute
	return backoff.RetryWithData(func() (int, error) { // want "ctxloop: .*never observes"
		return 1, d.Ping(ctx)
	}, policy)
}

func (d *CenkaltiBackoffWithoutContext) Background(ctx context.Context) error {
	policy := backoff.WithContext(backoff.NewExponentialBackOff(), context.Background())
	return backoff.Retry(func() error { return d.Ping(ctx) }, policy) // want "ctxloop: .*never observes"
}
