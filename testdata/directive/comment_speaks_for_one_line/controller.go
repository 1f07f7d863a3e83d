// Package wait has a comment two lines above its loop, and one that speaks for
// a function literal but not for what is in it.
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
	/* want "directive: .*suppresses no finding" */ //operatorvet:ignore ctxloop too far away

	for !r.Ready() { // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*suppresses no finding" */ //operatorvet:ignore ctxloop not for what is between the braces
	wait := func() {
		for !r.Ready() { // want "ctxloop: .*never observes"
			time.Sleep(5 * time.Second)
		}
	}
	wait()
	return ctrl.Result{}, nil
}
