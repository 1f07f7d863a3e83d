// Package poll polls without a context, every half second, for a condition that
// fails once the context is done.
package poll

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Restored func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := wait.PollImmediate(500*time.Millisecond, time.Hour, func() (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return r.Restored(req.Name), nil
	})
	return ctrl.Result{}, err
}
