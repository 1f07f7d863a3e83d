// Package sidecar derives a context for each try. When the parent is done all
// tries fail, and the sleeps between them go on.
package sidecar

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Quit func(ctx context.Context, pod string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
