// Package settle returns its named error as it is when the context is done, and
// it is nil then.
package settle

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Settled func(name string) bool
	Next    func(name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.settle(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Next(req.Name)
}

func (r *Reconciler) settle(ctx context.Context, name string) (err error) {
	for {
		if r.Settled(name) {
			return nil
		}
		select {
		case <-ctx.Done():
			return // want "ctxloop: .*looks like success"
		case <-time.After(5 * time.Second):
		}
	}
}
