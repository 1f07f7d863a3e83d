// Package token backs off with the variant of the function that listens to a
// context while it waits.
package token

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

var slow = wait.Backoff{Duration: 2 * time.Second, Factor: 2, Jitter: 0.1, Steps: 8}

type Reconciler struct {
	Create func(ctx context.Context, name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := wait.ExponentialBackoffWithContext(ctx, slow, func(ctx context.Context) (bool, error) {
		return r.Create(ctx, req.Name) == nil, nil
	})
	return ctrl.Result{}, err
}
