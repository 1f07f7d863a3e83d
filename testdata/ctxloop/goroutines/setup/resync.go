// Package resync starts goroutines while the controller is set up.
package resync

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// GoroutineOfSetupIsARunnable hands its loop to the manager, or lets the
// goroutine listen to the context of the setup.
type GoroutineOfSetupIsARunnable struct {
	ResyncPeriod time.Duration
	Resync       func(context.Context)
}

func (r *GoroutineOfSetupIsARunnable) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (r *GoroutineOfSetupIsARunnable) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
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

// GoroutineOfSetupIgnoresItsContext starts an endless goroutine while the
// controller is set up, with a context at hand that it only passes on. It starts once,
// lives as long as the process, and nobody waits for it.
type GoroutineOfSetupIgnoresItsContext struct {
	ResyncPeriod time.Duration
	Resync       func(context.Context) error
}

func (r *GoroutineOfSetupIgnoresItsContext) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (r *GoroutineOfSetupIgnoresItsContext) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	go func() {
		for {
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

// GoroutineOfReconcileNeverEnds starts such a goroutine in each reconcile.
type GoroutineOfReconcileNeverEnds struct {
	ResyncPeriod time.Duration
	Resync       func(context.Context) error
}

func (r *GoroutineOfReconcileNeverEnds) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	go func() {
		for { // want "ctxloop: .*never observes"
			select {
			case <-time.After(r.ResyncPeriod):
				if err := r.Resync(ctx); err != nil {
					ctrl.Log.Error(err, "resync")
				}
			}
		}
	}()
	return ctrl.Result{}, nil
}
