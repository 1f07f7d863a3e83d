// Package member retries every error, that of its cancelled context included.
package member

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

var backoff = wait.Backoff{Steps: 60, Duration: 2 * time.Second}

type Reconciler struct {
	Join func(ctx context.Context, name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := retry.OnError(backoff, func(error) bool { return true }, func() error { // want "ctxloop: .*never observes"
		return r.Join(ctx, req.Name)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, retry.OnError(backoff, isError, func() error { // want "ctxloop: .*never observes"
		return r.Join(ctx, req.Name+"-arbiter")
	})
}

func isError(err error) bool { return err != nil }
