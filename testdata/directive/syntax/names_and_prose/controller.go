// Package wait has comments that name no rule, and comments that are no
// directives.
package wait

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// ProseIsNoDirective writes about operatorvet:ignore, and has comments that
// look like one: about all rules, with an example, of another tool.
type ProseIsNoDirective struct {
	Ready func() bool
}

func (r *ProseIsNoDirective) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	// operatorvet:ignore comments would silence this, were it needed:
	//
	//	operatorvet:ignore ctxloop the lease is lost anyway
	for !r.Ready() { //nolint:all
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return ctrl.Result{}, nil
}

// RuleIsUnknown names rules that are none, no rule, and this rule.
type RuleIsUnknown struct {
	Ready func() bool
}

func (r *RuleIsUnknown) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
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
