// Package constructors builds caches with constructors that start goroutines.
package constructors

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/constructors/recent"
	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/constructors/ttl"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
)

// EndlessGoroutineStartedByConstructor builds its cache in code that has a
// context, with a constructor that takes none and starts a goroutine for good.
type EndlessGoroutineStartedByConstructor struct {
	seen *ttl.Cache[string]
	lost *ttl.Cache[int]
}

func (r *EndlessGoroutineStartedByConstructor) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.seen.Add(req.String())
	return ctrl.Result{}, nil
}

func (r *EndlessGoroutineStartedByConstructor) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	r.seen = ttl.New[string](time.Hour) // want "ctxloop: .*never observes"
	r.lost = ttl.New[int](time.Hour)    // the same goroutine: said once in a package
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// ConstructorCalledByHelperOfSetup builds its cache in a helper that takes no
// context, which is called where there is one.
type ConstructorCalledByHelperOfSetup struct {
	recent recent.Recent
}

func (m *ConstructorCalledByHelperOfSetup) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (m *ConstructorCalledByHelperOfSetup) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.setup()
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(m)
}

func (m *ConstructorCalledByHelperOfSetup) setup() {
	m.recent = recent.New(time.Minute) // want "ctxloop: .*never observes"
}
