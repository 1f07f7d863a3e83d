// Package connect retries functions that may notice that their context is done.
package connect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"k8s.io/apimachinery/pkg/util/wait"
	utilretry "k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

// RetriedFunctionGivesUpSoon retries without a context, every half second,
// something that gives up for good once the context is done.
type RetriedFunctionGivesUpSoon struct {
	Dial func(ctx context.Context) error
}

func (c *RetriedFunctionGivesUpSoon) Predicate(ctx context.Context) error {
	return retry.Do(
		func() error { return c.Dial(ctx) },
		retry.Attempts(120),
		retry.Delay(500*time.Millisecond),
		retry.DelayType(retry.FixedDelay),
		retry.RetryIf(func(error) bool { return ctx.Err() == nil }),
	)
}

func (c *RetriedFunctionGivesUpSoon) Unrecoverable(ctx context.Context) error {
	return retry.Do(func() error {
		if err := ctx.Err(); err != nil {
			return retry.Unrecoverable(err)
		}
		return c.Dial(ctx)
	}, retry.Attempts(120), retry.Delay(500*time.Millisecond), retry.DelayType(retry.FixedDelay))
}

func (c *RetriedFunctionGivesUpSoon) Permanent(ctx context.Context) error {
	return backoff.Retry(func() error {
		if err := ctx.Err(); err != nil {
			return backoff.Permanent(err)
		}
		return c.Dial(ctx)
	}, backoff.WithMaxRetries(backoff.NewConstantBackOff(500*time.Millisecond), 120))
}

// RetriedFunctionGivesUpLate retries without a context something that gives up
// for good once the context is done, and is asked again half a minute later.
type RetriedFunctionGivesUpLate struct {
	Dial func(ctx context.Context) error
}

func (c *RetriedFunctionGivesUpLate) Connect(ctx context.Context) error {
	return backoff.Retry(func() error { // want "ctxloop: .*only after"
		if err := ctx.Err(); err != nil {
			return backoff.Permanent(err)
		}
		return c.Dial(ctx)
	}, backoff.NewConstantBackOff(30*time.Second))
}

var minutes = wait.Backoff{Steps: 13, Duration: time.Second, Factor: 2, Cap: 15 * time.Minute}

var seconds = wait.Backoff{Steps: 10, Duration: time.Second}

// Executor runs a command in a pod.
type Executor interface {
	Exec(ctx context.Context, pod, command string) error
}

// RetriedWhileTheErrorSaysSo retries while the error speaks of another
// operation, which the error of a done context does not. Until then it sleeps
// for minutes.
type RetriedWhileTheErrorSaysSo struct {
	Executor Executor
}

func (r *RetriedWhileTheErrorSaysSo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	busy := func(err error) bool { return strings.Contains(err.Error(), "another operation") }
	if err := utilretry.OnError(minutes, busy, func() error { // want "ctxloop: .*only after"
		return r.disable(ctx, req.Name)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, utilretry.OnError(seconds, busy, func() error {
		return r.disable(ctx, req.Name)
	})
}

func (r *RetriedWhileTheErrorSaysSo) disable(ctx context.Context, pod string) error {
	if pod == "" {
		return fmt.Errorf("no pod")
	}
	if err := r.Executor.Exec(ctx, pod, "config --set enabled=false"); err != nil {
		return fmt.Errorf("disable on %s: %w", pod, err)
	}
	return nil
}
