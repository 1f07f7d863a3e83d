// Package backup takes the error of a cancelled poll for no error, and its
// caller takes that for a finished backup.
package backup

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Finished func(name string) (bool, error)
	Delete   func(name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.await(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Delete(req.Name)
}

func (r *Reconciler) await(ctx context.Context, name string) error {
	err := wait.PollUntilContextCancel(ctx, 10*time.Second, true, func(context.Context) (bool, error) {
		return r.Finished(name)
	})
	if errors.Is(err, context.Canceled) {
		return nil // want "ctxloop: .*looks like success"
	}
	return err
}
