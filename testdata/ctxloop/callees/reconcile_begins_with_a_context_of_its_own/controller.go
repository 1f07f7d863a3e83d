// Package controller begins its reconcile with a context that nobody cancels.
package controller

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type ContextIsMadeAnew struct {
	Ready func(name string) bool
}

func (r *ContextIsMadeAnew) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	ctx := context.Background()
	if err := r.prepare(ctx, req.Name); err != nil { // want "ctxloop: "
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.prepare(ctx, req.Name+"-2")
}

func (r *ContextIsMadeAnew) prepare(ctx context.Context, name string) error {
	return await(ctx, func() bool { return r.Ready(name) })
}

type ContextIsHandedOn struct {
	Ready func(name string) bool
}

func (r *ContextIsHandedOn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, await(ctx, func() bool { return r.Ready(req.Name) })
}

func await(ctx context.Context, ready func() bool) error {
	for !ready() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return nil
}
