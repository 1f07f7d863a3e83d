// Package lock calls retry helpers that would wait for as long as they are told
// to, and tells them to wait for less than a second in all.
package lock

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	TryLock func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	locked := func() bool { return r.TryLock(req.Name) }
	if err := retry(5, 100*time.Millisecond, locked); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, poll(50*time.Millisecond, time.Second, locked)
}

func retry(n int, pause time.Duration, f func() bool) error {
	for range n {
		if f() {
			return nil
		}
		time.Sleep(pause)
	}
	return errors.New("locked")
}

func poll(interval, timeout time.Duration, f func() bool) error {
	return wait.PollImmediate(interval, timeout, func() (bool, error) { return f(), nil })
}
