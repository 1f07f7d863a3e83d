// Package controller reconciles Things that serve something.
package controller

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/exported_helper_of_a_goroutine/service"
)

// Starter does not wait for the server.
type Starter struct {
	client.Client
	service.Server
}

func (r *Starter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	service.Start(r.Server, func(error) {})
	return ctrl.Result{}, nil
}

// Waiter waits for the server by the helper that the goroutine of the other package calls.
type Waiter struct {
	client.Client
	service.Server
}

func (r *Waiter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, service.Await(r.Server) // want "ctxloop: service.Await .*waits in a loop .* that never observes ctx"
}
