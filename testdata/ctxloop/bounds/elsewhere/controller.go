// Package elsewhere has a reconciler that waits in another package.
package elsewhere

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/bounds/elsewhere/dial"
	ctrl "sigs.k8s.io/controller-runtime"
)

// SomeSecondsInAReconcile waits six seconds while its worker does nothing else.
type SomeSecondsInAReconcile struct {
	Try func(context.Context) error
}

func (r *SomeSecondsInAReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, dial.SomeSeconds(func() error { return r.Try(ctx) }) // want "ctxloop: .*SomeSeconds"
}

// PollInAReconcile waits ten seconds.
type PollInAReconcile struct {
	Try func(context.Context) error
}

func (r *PollInAReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, dial.PollsForSomeSeconds(func() error { return r.Try(ctx) }) // want "ctxloop: .*PollsForSomeSeconds.* for up to 10s;"
}

// Serve waits for six seconds, too, but nothing that runs with the controllers is
// known to call it.
func Serve(ctx context.Context, try func(context.Context) error) error {
	return dial.SomeSeconds(func() error { return try(ctx) })
}
