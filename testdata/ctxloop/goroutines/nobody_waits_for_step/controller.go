// Package controller reconciles clusters step by step.
package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/nobody_waits_for_step/steps"
	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/nobody_waits_for_task/pool"
)

// Reconciler lets a coordinator take the steps.
type Reconciler struct {
	client.Client
	Pool *pool.Pool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	c := &steps.Coordinator{Manager: &steps.Cluster{Ctx: ctx}, Pool: r.Pool}
	return ctrl.Result{}, c.Advance("join")
}
