// Package undo cleans up after itself on contexts that are detached on purpose,
// since the one of the reconciliation may be what ended it.
package undo

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Exclude  func(ctx context.Context, node string) error
	Include  func(ctx context.Context, node string) error
	Included func(ctx context.Context, node string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Exclude(ctx, req.Name); err != nil {
		return ctrl.Result{}, r.include(ctx, req.Name)
	}
	defer func() {
		cleanupCtx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		_ = wait.PollUntilContextCancel(cleanupCtx, 2*time.Second, true, func(ctx context.Context) (bool, error) {
			return r.Include(ctx, req.Name) == nil, nil
		})
	}()
	return ctrl.Result{}, nil
}

func (r *Reconciler) include(ctx context.Context, node string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for {
		if r.Included(ctx, node) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
}
