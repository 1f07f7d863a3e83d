// Package limits limits its waits by numbers and by the clock.
package limits

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

// ShortConstantWait waits for a second at most in all: by counted sleeps, and
// with library retries whose numbers say so.
type ShortConstantWait struct {
	Try func(ctx context.Context) error
}

func (r *ShortConstantWait) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *ShortConstantWait) Libraries(ctx context.Context) error {
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

func (r *ShortConstantWait) HTTP(ctx context.Context) error {
	_, err := resty.New().
		SetRetryCount(2).
		SetRetryWaitTime(delay).
		SetRetryMaxWaitTime(delay).
		R().
		Get("/quick")
	return err
}

var errLate = errors.New("label is not there")

// ShortWaitBoundedByTheClock waits until some time within the next second: by a
// deadline, by a timer that ends the loop, with pauses that grow a little.
type ShortWaitBoundedByTheClock struct {
	Labelled func(name string) bool
}

func (r *ShortWaitBoundedByTheClock) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	deadline := time.Now().Add(500 * time.Millisecond)
	for time.Now().Before(deadline) && !r.Labelled(req.Name) {
		time.Sleep(50 * time.Millisecond)
	}
	start := time.Now()
	for time.Since(start) < time.Second && !r.Labelled(req.Name) {
		time.Sleep(50 * time.Millisecond)
	}
	if err := r.growing(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.timer(ctx, req.Name)
}

func (r *ShortWaitBoundedByTheClock) growing(_ context.Context, name string) error {
	pause := 10 * time.Millisecond
	for i := 0; i < 5; i++ {
		if r.Labelled(name) {
			return nil
		}
		time.Sleep(pause)
		pause *= 2
	}
	steps := wait.Backoff{Steps: 4, Duration: 50 * time.Millisecond, Factor: 2}
	for steps.Steps > 0 {
		if r.Labelled(name) {
			return nil
		}
		time.Sleep(steps.Step())
	}
	return errLate
}

func (r *ShortWaitBoundedByTheClock) timer(_ context.Context, name string) error {
	timeout := time.After(time.Second)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-timeout:
			return errLate
		case <-ticker.C:
			if r.Labelled(name) {
				return nil
			}
		}
	}
}

// ManyShortSleepsAreLong sleeps half a second at a time, for a minute in all.
type ManyShortSleepsAreLong struct {
	Green func(index string) bool
}

func (r *ManyShortSleepsAreLong) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	const tries = 120
	for i := 0; i < tries; i++ { // want "ctxloop: .*never observes"
		if r.Green(req.Name) {
			return ctrl.Result{}, nil
		}
		time.Sleep(500 * time.Millisecond)
	}
	return ctrl.Result{}, errors.New("index is not green")
}
