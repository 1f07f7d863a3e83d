// Package index sleeps half a second at a time, for a minute in all.
package index

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Green func(index string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	const tries = 120
	for i := 0; i < tries; i++ { // want "ctxloop: .*never observes"
		if r.Green(req.Name) {
			return ctrl.Result{}, nil
		}
		time.Sleep(500 * time.Millisecond)
	}
	return ctrl.Result{}, errors.New("index is not green")
}
