// Package lock tells the module's retry helper to wait for half a second in
// all.
package lock

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/short_wait_of_another_package_decided_by_caller/attempt"
)

type Reconciler struct {
	TryLock func(ctx context.Context, name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, attempt.Do(5, 100*time.Millisecond, func() error {
		return r.TryLock(ctx, req.Name)
	})
}
