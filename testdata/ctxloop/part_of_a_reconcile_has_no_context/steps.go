// Package steps holds parts of a reconcile, which the controller in another
// package puts together. That they return a reconcile's result says when they
// run, though they have no context.
package steps

import (
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Drain is a step of the reconcile.
func Drain(drained func() bool) (ctrl.Result, error) {
	for !drained() { // want "ctxloop: .*never observes"
		time.Sleep(10 * time.Second)
	}
	return ctrl.Result{}, nil
}

// Settle may be called by anybody, also without a context.
func Settle(settled func() bool) error {
	for !settled() {
		time.Sleep(10 * time.Second)
	}
	return nil
}

// Requeue returns instead of waiting.
func Requeue(drained func() bool) (ctrl.Result, error) {
	if !drained() {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	return ctrl.Result{}, nil
}
