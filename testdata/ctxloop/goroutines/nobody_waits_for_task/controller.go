// Package controller reconciles Things step by step.
package controller

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/nobody_waits_for_task/pool"
	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/nobody_waits_for_task/tasks"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Reconciler hands the steps to a pool, and looks at their results later.
type Reconciler struct {
	client.Client
	Pool *pool.Pool

	ready   func() bool
	cancels map[string]context.CancelFunc
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := new(thingapi.Thing)
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	go r.announce(ctx)
	r.restart(ctx, req.Name)
	err := r.Pool.Advance(&tasks.Handler{Ctx: ctx, Client: r.Client, Thing: thing})
	return ctrl.Result{RequeueAfter: time.Minute}, err
}

// announce ends when the service is ready. Nobody waits for it.
func (r *Reconciler) announce(ctx context.Context) {
	for !r.ready() {
		time.Sleep(10 * time.Second)
	}
}

// restart cancels what runs for the object, and starts it again.
func (r *Reconciler) restart(ctx context.Context, name string) {
	if cancel := r.cancels[name]; cancel != nil {
		cancel()
	}
	ctx, r.cancels[name] = context.WithCancel(ctx)
	go r.follow(ctx)
}

// follow goes on although it was cancelled.
func (r *Reconciler) follow(ctx context.Context) {
	for !r.ready() { // want "ctxloop: .*never observes"
		time.Sleep(10 * time.Second)
	}
}
