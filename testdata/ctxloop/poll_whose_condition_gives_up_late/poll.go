// Package poll has a condition that gives up once the context is done, and an
// interval of a minute before the condition is asked again.
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
	err := wait.PollImmediate(time.Minute, time.Hour, func() (bool, error) { // want "ctxloop: .*only after"
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return r.Restored(req.Name), nil
	})
	return ctrl.Result{}, err
}
