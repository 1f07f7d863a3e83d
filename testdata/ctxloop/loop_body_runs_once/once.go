// Package once has waits in and around loops, none of which is a round of one.
package once

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Steps []func(ctx context.Context) error
	Ready func() bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		if !r.Ready() {
			time.Sleep(10 * time.Second)
		}
		break
	}
	for _, step := range r.Steps {
		if err := step(ctx); err != nil {
			time.Sleep(5 * time.Second)
			return ctrl.Result{}, err
		}
	}
	time.Sleep(2 * time.Second)
	for range 3 {
		if r.Ready() {
			return ctrl.Result{}, nil
		}
		time.AfterFunc(time.Minute, func() { r.Ready() })
	}
	return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
}
