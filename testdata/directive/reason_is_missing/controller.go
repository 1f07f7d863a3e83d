// Package wait has comments that do not say why. They silence nothing.
package wait

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Ready func() bool
}

func (r *Reconciler) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
	/* want "directive: .*no reason" */ //operatorvet:ignore ctxloop
	for !r.Ready() {                    // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*no reason" */ //operatorvet:ignore ctxloop --
	for !r.Ready() {                    // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}
