// Package database hands its context to the policy, inside or outside of the
// limit of tries.
package database

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
)

type Database struct {
	Ping func(ctx context.Context) error
}

func (d *Database) Outside(ctx context.Context) error {
	policy := backoff.WithContext(backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 30), ctx)
	return backoff.Retry(func() error { return d.Ping(ctx) }, policy)
}

func (d *Database) Inside(ctx context.Context) error {
	policy := backoff.WithMaxRetries(backoff.WithContext(backoff.NewConstantBackOff(5*time.Second), ctx), 30)
	return backoff.RetryNotify(func() error { return d.Ping(ctx) }, policy, func(error, time.Duration) {})
}

func (d *Database) FromHelper(ctx context.Context) error {
	return backoff.Retry(func() error { return d.Ping(ctx) }, policy(ctx))
}

func policy(ctx context.Context) backoff.BackOff {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.WithContext(b, ctx)
}

func (d *Database) Ticker(ctx context.Context) error {
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

func (d *Database) Version5(ctx context.Context) error {
	_, err := backoff5.Retry(ctx, func() (bool, error) {
		return true, d.Ping(ctx)
	}, backoff5.WithMaxElapsedTime(time.Hour))
	return err
}
