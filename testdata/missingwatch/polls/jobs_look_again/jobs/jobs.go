// Package jobs runs functions in the background.
package jobs

import (
	"context"
	"time"
)

// Every calls the job in each interval.
func Every(ctx context.Context, interval time.Duration, job func() error) {
	ticker := time.NewTicker(interval)
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = job()
			case <-ctx.Done():
				return
			}
		}
	}()
}

// Once calls the job until it succeeds.
func Once(ctx context.Context, interval time.Duration, job func() error) {
	go func() {
		for job() != nil {
			select {
			case <-time.After(interval):
			case <-ctx.Done():
				return
			}
		}
	}()
}
