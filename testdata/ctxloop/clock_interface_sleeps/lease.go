// Package lease waits by the clock that its tests replace.
package lease

import (
	"context"
	"time"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clock clock.Clock
	Held  func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Held(req.Name) { // want "ctxloop: .*never observes"
		r.Clock.Sleep(15 * time.Second)
	}
	for !r.Held(req.Name) { // want "ctxloop: .*never observes"
		<-r.Clock.After(15 * time.Second)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) renew(ctx context.Context, name string) error {
	timer := r.Clock.NewTimer(10 * time.Second)
	defer timer.Stop()
	for r.Held(name) { // want "ctxloop: .*never observes"
		<-timer.C()
		timer.Reset(10 * time.Second)
	}
	return nil
}
