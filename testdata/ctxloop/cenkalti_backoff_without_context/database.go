// Package database retries with policies that know no context. The operations
// know one, but their errors are what is retried.
package database

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v4"
)

type Database struct {
	Ping func(ctx context.Context) error
}

func (d *Database) Exponential(ctx context.Context) error {
	return backoff.Retry(func() error { // want "ctxloop: .*never observes"
		return d.Ping(ctx)
	}, backoff.NewExponentialBackOff())
}

func (d *Database) Bounded(ctx context.Context) error {
	policy := backoff.WithMaxRetries(backoff.NewConstantBackOff(5*time.Second), 30)
	return backoff.RetryNotify( // want "ctxloop: .*never observes"
		func() error { return d.Ping(ctx) },
		policy,
		func(error, time.Duration) {},
	)
}

func (d *Database) WithData(ctx context.Context) (int, error) {
	policy := backoff.NewExponentialBackOff()
	policy.MaxElapsedTime = 2 * time.Minute
	return backoff.RetryWithData(func() (int, error) { // want "ctxloop: .*never observes"
		return 1, d.Ping(ctx)
	}, policy)
}

func (d *Database) Background(ctx context.Context) error {
	policy := backoff.WithContext(backoff.NewExponentialBackOff(), context.Background())
	return backoff.Retry(func() error { return d.Ping(ctx) }, policy) // want "ctxloop: .*never observes"
}
