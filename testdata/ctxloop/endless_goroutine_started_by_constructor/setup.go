// Package setup builds its cache in code that has a context, with a constructor
// that takes none and starts a goroutine for good.
package setup

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/endless_goroutine_started_by_constructor/ttl"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	seen *ttl.Cache[string]
	lost *ttl.Cache[int]
}

func (r *Reconciler) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.seen.Add(req.String())
	return ctrl.Result{}, nil
}

func (r *Reconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	r.seen = ttl.New[string](time.Hour) // want "ctxloop: .*never observes"
	r.lost = ttl.New[int](time.Hour)    // the same goroutine: said once in a package
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
