// Package token backs off with the functions of apimachinery.
package token

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

// ExponentialBackoffWithContext backs off with the variant of the function that
// listens to a context while it waits.
type ExponentialBackoffWithContext struct {
	Create func(ctx context.Context, name string) error
}

func (r *ExponentialBackoffWithContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := wait.ExponentialBackoffWithContext(ctx, slow, func(ctx context.Context) (bool, error) {
		return r.Create(ctx, req.Name) == nil, nil
	})
	return ctrl.Result{}, err
}

// ExponentialBackoffWithoutContext backs off with the variant of the function
// that sleeps without a context.
type ExponentialBackoffWithoutContext struct {
	Create func(ctx context.Context, name string) error
}

func (r *ExponentialBackoffWithoutContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := wait.ExponentialBackoff(slow, func() (bool, error) { // want "ctxloop: .*never observes [a-zA-Z ]*, for up to 4m39.4s;"
		return r.Create(ctx, req.Name) == nil, nil
	}); err != nil {
		return ctrl.Result{}, err
	}
	backoff := wait.Backoff{Duration: 500 * time.Millisecond, Factor: 2, Steps: 10}
	err := wait.ExponentialBackoffWithContext(context.Background(), backoff, func(ctx context.Context) (bool, error) { // want "ctxloop: .*never observes"
		return r.Create(ctx, req.Name+"-next") == nil, nil
	})
	return ctrl.Result{}, err
}

var slow = wait.Backoff{Duration: 2 * time.Second, Factor: 2, Jitter: 0.1, Steps: 8}
