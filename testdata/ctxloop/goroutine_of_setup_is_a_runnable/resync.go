// Package resync hands its loop to the manager, or lets the goroutine listen to
// the context of the setup.
package resync

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	ResyncPeriod time.Duration
	Resync       func(context.Context)
}

func (r *Reconciler) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(r.ResyncPeriod):
				r.Resync(ctx)
			}
		}
	}()
	if err := mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		wait.UntilWithContext(ctx, r.Resync, r.ResyncPeriod)
		return nil
	})); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
