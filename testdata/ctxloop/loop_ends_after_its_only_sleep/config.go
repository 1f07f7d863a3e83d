// Package config sleeps in loops only where it leaves them afterwards, and in
// defers and goroutines that run once.
package config

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Pods  func(cluster string) []string
	Patch func(pod string) (changed bool, err error)
	Drop  func(mapping string)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for _, pod := range r.Pods(req.Name) {
		changed, err := r.Patch(pod)
		if err != nil {
			continue
		}
		if changed {
			time.Sleep(12 * time.Second)
			break
		}
	}
	for _, pod := range r.Pods(req.Name) {
		go func() {
			time.Sleep(5 * time.Second)
			r.Drop(pod)
		}()
	}
	defer func() {
		time.Sleep(5 * time.Second)
		r.Drop(req.Name)
	}()
	return ctrl.Result{}, ctx.Err()
}
