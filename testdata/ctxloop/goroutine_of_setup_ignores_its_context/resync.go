// Package resync starts an endless goroutine while the controller is set up,
// with a context at hand that it only passes on.
package resync

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	ResyncPeriod time.Duration
	Resync       func(context.Context) error
}

func (r *Reconciler) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	go func() {
		for { // want "ctxloop: .*never observes"
			select {
			case <-time.After(r.ResyncPeriod):
				if err := r.Resync(ctx); err != nil {
					mgr.GetLogger().Error(err, "resync")
				}
			}
		}
	}()
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
