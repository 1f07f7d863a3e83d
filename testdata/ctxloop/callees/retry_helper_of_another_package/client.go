// Package client retries with the module's helper.
package client

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/retry_helper_of_another_package/attempt"
	ctrl "sigs.k8s.io/controller-runtime"
)

// RetryHelperOfAnotherPackageTakesContext retries with the module's helper,
// which takes the context.
type RetryHelperOfAnotherPackageTakesContext struct {
	get func(ctx context.Context, path string) ([]byte, error)
}

func (c *RetryHelperOfAnotherPackageTakesContext) Health(ctx context.Context) ([]byte, error) {
	return attempt.Do(ctx, 10, 5*time.Second, func(ctx context.Context) ([]byte, error) {
		return c.get(ctx, "/health")
	})
}

func (c *RetryHelperOfAnotherPackageTakesContext) Alive(ctx context.Context) error {
	for {
		if _, err := c.get(ctx, "/alive"); err == nil {
			return nil
		}
		if err := attempt.Sleep(ctx, time.Minute); err != nil {
			return err
		}
	}
}

// ShortWaitOfAnotherPackageDecidedByCaller tells the module's retry helper to
// wait for half a second in all.
type ShortWaitOfAnotherPackageDecidedByCaller struct {
	TryLock func(ctx context.Context, name string) error
}

func (r *ShortWaitOfAnotherPackageDecidedByCaller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, attempt.DoTimes(5, 100*time.Millisecond, func() error {
		return r.TryLock(ctx, req.Name)
	})
}

// RetryHelperOfAnotherPackage retries with the module's helper, which takes no
// context.
type RetryHelperOfAnotherPackage struct {
	get func(ctx context.Context, path string) ([]byte, error)
}

func (c *RetryHelperOfAnotherPackage) Health(ctx context.Context) ([]byte, error) {
	return attempt.DoWithoutContext(10, 5*time.Second, func() ([]byte, error) { // want "ctxloop: .*never observes"
		return c.get(ctx, "/health")
	})
}
