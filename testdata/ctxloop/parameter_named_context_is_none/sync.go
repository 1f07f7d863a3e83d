// Package sync names a parameter context that is none. The real one stays in
// Reconcile.
package sync

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// SyncContext is what one synchronisation knows.
type SyncContext struct {
	Name string
	Done bool
}

type Reconciler struct {
	Probe func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.sync(&SyncContext{Name: req.Name})
	return ctrl.Result{}, nil
}

func (r *Reconciler) sync(context *SyncContext) {
	for !context.Done { // want "ctxloop: .*never observes"
		context.Done = r.Probe(context.Name)
		time.Sleep(10 * time.Second)
	}
}
