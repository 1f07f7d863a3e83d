// Package volumes looks at its context once a round, and sleeps half a minute
// in between.
package volumes

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Cloud interface {
	Attached(volume string) bool
}

type Reconciler struct {
	Cloud Cloud
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.awaitAttached(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitDetached(ctx, req.Name)
}

func (r *Reconciler) awaitAttached(ctx context.Context, volume string) error {
	for ctx.Err() == nil { // want "ctxloop: .*only after"
		if r.Cloud.Attached(volume) {
			return nil
		}
		time.Sleep(30 * time.Second)
	}
	return ctx.Err()
}

func (r *Reconciler) awaitDetached(ctx context.Context, volume string) error {
	for r.Cloud.Attached(volume) { // want "ctxloop: .*only after"
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(time.Minute)
	}
	return nil
}
