// Package pause waits for a second at most in all: by counted sleeps, and with
// library retries whose numbers say so.
package pause

import (
	"context"
	"errors"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"github.com/go-resty/resty/v2"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

const (
	tries = 5
	delay = 100 * time.Millisecond
)

type Reconciler struct {
	Try func(ctx context.Context) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for i := 0; i < tries; i++ {
		if r.Try(ctx) == nil {
			return ctrl.Result{}, nil
		}
		time.Sleep(delay)
	}
	for range 10 {
		if r.Try(ctx) == nil {
			return ctrl.Result{}, nil
		}
		<-time.After(50 * time.Millisecond)
	}
	return ctrl.Result{}, errors.New("no luck")
}

func (r *Reconciler) Libraries(ctx context.Context) error {
	try := func() error { return r.Try(ctx) }
	if err := wait.PollImmediate(delay, time.Second, func() (bool, error) { return try() == nil, nil }); err == nil {
		return nil
	}
	steps := wait.Backoff{Duration: 50 * time.Millisecond, Factor: 2, Steps: 4}
	if err := wait.ExponentialBackoff(steps, func() (bool, error) { return try() == nil, nil }); err == nil {
		return nil
	}
	if err := retry.Do(try, retry.Attempts(4), retry.Delay(delay), retry.DelayType(retry.FixedDelay)); err == nil {
		return nil
	}
	return backoff.Retry(try, backoff.WithMaxRetries(backoff.NewConstantBackOff(delay), tries))
}

func (r *Reconciler) HTTP(ctx context.Context) error {
	_, err := resty.New().
		SetRetryCount(2).
		SetRetryWaitTime(delay).
		SetRetryMaxWaitTime(delay).
		R().
		Get("/quick")
	return err
}
