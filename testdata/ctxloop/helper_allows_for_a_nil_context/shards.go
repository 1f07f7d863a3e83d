// Package shards asks whether its context is done by a helper that also takes
// nil for a context: a context that is done is not nil.
package shards

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Balanced func(cluster string) (bool, error)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for attempt := 0; attempt < 50; attempt++ {
		done, err := r.balanced(ctx, req.Name)
		if err == nil && done {
			break
		}
		time.Sleep(time.Second)
	}
	for { // want "ctxloop: .*only after"
		if cancelled(ctx) {
			return ctrl.Result{}, ctx.Err()
		}
		if done, _ := r.Balanced(req.Name); done {
			return ctrl.Result{}, nil
		}
		time.Sleep(15 * time.Second)
	}
}

func (r *Reconciler) balanced(ctx context.Context, cluster string) (bool, error) {
	if cancelled(ctx) {
		return true, nil
	}
	return r.Balanced(cluster)
}

func cancelled(ctx context.Context) bool {
	if ctx == nil {
		return false
	}
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}
