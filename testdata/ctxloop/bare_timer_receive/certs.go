// Package certs receives from timers in a loop, with nothing beside them.
package certs

import (
	"context"
	"os"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

const file = "/certs/tls.crt"

type Reconciler struct{}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*never observes"
		if _, err := os.Stat(file); err == nil {
			break
		}
		<-time.After(5 * time.Second)
	}
	return ctrl.Result{}, r.awaitChange(ctx)
}

func (r *Reconciler) awaitChange(ctx context.Context) error {
	before, err := os.Stat(file)
	if err != nil {
		return err
	}
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	for { // want "ctxloop: .*never observes"
		<-timer.C
		now, err := os.Stat(file)
		if err != nil {
			return err
		}
		if now.ModTime().After(before.ModTime()) {
			return nil
		}
		timer.Reset(10 * time.Second)
	}
}
