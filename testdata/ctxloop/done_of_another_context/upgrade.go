// Package upgrade waits for the end of a context that is not the one of the
// reconciliation.
package upgrade

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Version func(ctx context.Context, name string) (string, error)
	Target  string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.await(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitLong(ctx, req.Name)
}

func (r *Reconciler) await(ctx context.Context, name string) error {
	waitCtx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	for { // want "ctxloop: .*never observes"
		if v, err := r.Version(waitCtx, name); err == nil && v == r.Target {
			return nil
		}
		select {
		case <-waitCtx.Done():
			return errors.New("upgrade takes too long")
		case <-time.After(10 * time.Second):
		}
	}
}

func (r *Reconciler) awaitLong(_ context.Context, name string) error {
	ctx := context.Background()
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for { // want "ctxloop: .*never observes"
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if v, err := r.Version(ctx, name); err == nil && v == r.Target {
				return nil
			}
		}
	}
}
