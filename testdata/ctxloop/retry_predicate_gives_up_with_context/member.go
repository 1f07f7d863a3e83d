// Package member retries errors only while its context is alive.
package member

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

var backoff = wait.Backoff{Steps: 300, Duration: 200 * time.Millisecond}

type Reconciler struct {
	Join func(ctx context.Context, name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retry.OnError(backoff, func(error) bool { return ctx.Err() == nil }, func() error {
		return r.Join(ctx, req.Name)
	})
	return ctrl.Result{}, err
}
