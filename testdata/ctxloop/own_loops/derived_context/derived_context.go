// Package derivedcontext waits in loops for derived contexts.
package derivedcontext

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

// DerivedContextIsObserved derives contexts from the one that it was given, or
// carries it inside a type of its own, and listens to those.
type DerivedContextIsObserved struct {
	Finished func(ctx context.Context, name string) bool
}

func (r *DerivedContextIsObserved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *DerivedContextIsObserved) settle(op operation) error {
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

// ContextOfEachTryOnlyEndsTheTry derives a context for each try. When the
// parent is done all tries fail, and the sleeps between them go on.
type ContextOfEachTryOnlyEndsTheTry struct {
	Quit func(ctx context.Context, pod string) error
}

func (r *ContextOfEachTryOnlyEndsTheTry) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var errs []error
	for range 40 { // want "ctxloop: .*never observes"
		tryCtx, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := r.Quit(tryCtx, req.Name)
		cancel()
		if err == nil {
			return ctrl.Result{}, nil
		}
		errs = append(errs, err)
		time.Sleep(15 * time.Second)
	}
	return ctrl.Result{}, errors.Join(errs...)
}
