// Package helpers sleeps in helpers.
package helpers

import (
	"context"
	"errors"
	"os/exec"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// HelperSleepsWhereNoContextReaches sleeps in a helper that nobody with a
// context calls.
//
// It returns when the binary is in the path.
func HelperSleepsWhereNoContextReaches(name string) {
	for {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
		time.Sleep(10 * time.Second)
	}
}

// HelperWithoutContextBelowReconcile sleeps in helpers without a context, two
// calls and a type parameter away from Reconcile.
type HelperWithoutContextBelowReconcile struct {
	State func(name string) (string, bool)
}

func (r *HelperWithoutContextBelowReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.finish(req.Name); err != nil {
		return ctrl.Result{}, err
	}
	state := eventually(20*time.Second, func() (string, bool) { return r.State(req.Name) })
	if state != "done" {
		return ctrl.Result{}, errors.New(state)
	}
	return ctrl.Result{}, nil
}

func (r *HelperWithoutContextBelowReconcile) finish(name string) error {
	return r.await(name, "done")
}

func (r *HelperWithoutContextBelowReconcile) await(name, want string) error {
	deadline := time.Now().Add(time.Hour)
	for time.Now().Before(deadline) { // want "ctxloop: .*never observes"
		if state, ok := r.State(name); ok && state == want {
			return nil
		}
		time.Sleep(15 * time.Second)
	}
	return errors.New("snapshot takes too long")
}

func eventually[T any](interval time.Duration, get func() (T, bool)) T {
	for { // want "ctxloop: .*never observes"
		if v, ok := get(); ok {
			return v
		}
		time.Sleep(interval)
	}
}

// PartOfAReconcileHasNoContext holds parts of a reconcile, which the controller
// in another package puts together. That they return a reconcile's result says
// when they run, though they have no context.
//
// It is a step of the reconcile.
func PartOfAReconcileHasNoContext(drained func() bool) (ctrl.Result, error) {
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
