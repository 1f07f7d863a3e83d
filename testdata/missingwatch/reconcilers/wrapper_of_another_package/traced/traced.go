// Package traced wraps reconcilers.
package traced

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type logging struct{ inner reconcile.Reconciler }

// Logging returns a reconciler that logs, and calls another one.
func Logging(inner reconcile.Reconciler) reconcile.Reconciler { return &logging{inner} }

func (l *logging) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	started := time.Now()
	defer func() { log.FromContext(ctx).Info("reconciled", "took", time.Since(started)) }()
	return l.inner.Reconcile(ctx, req)
}

// Resyncing calls another reconciler every minute.
type Resyncing struct{ Inner reconcile.Reconciler }

func (r *Resyncing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if _, err := r.Inner.Reconcile(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

// Disabled keeps a reconciler, and never calls it.
type Disabled struct{ Inner reconcile.Reconciler }

// Reconcile fails.
func (d *Disabled) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, errors.New("disabled")
}
