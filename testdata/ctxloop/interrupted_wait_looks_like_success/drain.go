// Package drain notices that it is cancelled and then returns what it returns
// after success, so that its caller goes on to remove a node full of data.
package drain

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Shards func(node string) int
	Remove func(node string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.settle(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Remove(req.Name)
}

func (r *Reconciler) drain(ctx context.Context, node string) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil // want "ctxloop: .*looks like success"
		case <-ticker.C:
			if r.Shards(node) == 0 {
				return nil
			}
		}
	}
}

func (r *Reconciler) settle(ctx context.Context, node string) error {
	for ctx.Err() == nil {
		if r.Shards(node) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	return nil // want "ctxloop: .*looks like success"
}
