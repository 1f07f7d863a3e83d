// Package registry uses the version that takes a context, with one that is
// never done.
package registry

import (
	"context"

	"github.com/cenkalti/backoff/v5"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Digest func(ctx context.Context, image string) (string, error)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	_, err := backoff.Retry(context.TODO(), func() (string, error) { // want "ctxloop: .*never observes"
		return r.Digest(ctx, req.Name)
	})
	return ctrl.Result{}, err
}
