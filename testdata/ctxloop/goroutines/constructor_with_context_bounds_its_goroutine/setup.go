// Package setup gives the constructor a context that ends its goroutine.
package setup

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/constructor_with_context_bounds_its_goroutine/ttl"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	seen *ttl.Cache[string]
}

func (r *Reconciler) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.seen.Add(req.String())
	return ctrl.Result{}, nil
}

func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	r.seen = ttl.New[string](ctx, time.Hour)
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
