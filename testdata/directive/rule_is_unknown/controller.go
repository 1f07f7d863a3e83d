// Package wait names rules that are none, no rule, and this rule.
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
	/* want "directive: .*unknown rule \"ctxlop\"" */ //operatorvet:ignore ctxlop a slip of the finger
	for !r.Ready() {                                  // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*unknown rule \"all\"" */ //operatorvet:ignore all there is no such word
	for !r.Ready() {                               // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*names no rule" */ //operatorvet:ignore
	for !r.Ready() {                        // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*cannot be ignored" */ //operatorvet:ignore directive,ctxloop not by itself
	for !r.Ready() {
		time.Sleep(5 * time.Second)
	}

	/* want "directive: unknown directive" */ //operatorvet:disable ctxloop another tool's word
	for !r.Ready() {                          // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}
