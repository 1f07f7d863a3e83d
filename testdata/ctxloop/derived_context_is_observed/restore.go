// Package restore derives contexts from the one that it was given, or carries
// it inside a type of its own, and listens to those.
package restore

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// operation is a context with what an operation knows.
type operation struct {
	context.Context
	name string
}

type Reconciler struct {
	Finished func(ctx context.Context, name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("restore", req.Name))
	waitCtx, cancel := context.WithTimeoutCause(ctx, time.Hour, errors.New("restore takes too long"))
	defer cancel()
	for !r.Finished(ctx, req.Name) {
		select {
		case <-waitCtx.Done():
			return ctrl.Result{}, context.Cause(waitCtx)
		case <-time.After(10 * time.Second):
		}
	}
	return ctrl.Result{}, r.settle(operation{Context: ctx, name: req.Name})
}

func (r *Reconciler) settle(op operation) error {
	for {
		select {
		case <-op.Done():
			return op.Err()
		case <-time.After(time.Minute):
			if r.Finished(op, op.name) {
				return nil
			}
		}
	}
}
