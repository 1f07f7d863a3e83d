// Package snapshot sleeps in helpers without a context, two calls and a type
// parameter away from Reconcile.
package snapshot

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	State func(name string) (string, bool)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.finish(req.Name); err != nil {
		return ctrl.Result{}, err
	}
	state := eventually(20*time.Second, func() (string, bool) { return r.State(req.Name) })
	if state != "done" {
		return ctrl.Result{}, errors.New(state)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) finish(name string) error {
	return r.await(name, "done")
}

func (r *Reconciler) await(name, want string) error {
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
