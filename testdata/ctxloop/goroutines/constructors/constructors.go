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

// EndlessGoroutineOfEachObject builds caches for an object in each reconcile, with a
// constructor that takes no context and starts a goroutine for good.
type EndlessGoroutineOfEachObject struct {
	seen map[string]*ttl.Cache[string]
	lost map[string]*ttl.Cache[int]
}

func (r *EndlessGoroutineOfEachObject) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.seen[req.Name] = ttl.New[string](time.Hour) // want "ctxloop: .*never observes"
	r.lost[req.Name] = ttl.New[int](time.Hour)    // the same goroutine: said once in a package
	return ctrl.Result{}, nil
}

// ConstructorCalledByHelper builds its cache in a helper that takes no context, which is
// called where there is one.
type ConstructorCalledByHelper struct {
	recent recent.Recent
}

func (m *ConstructorCalledByHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := ctx.Err(); err != nil {
		return ctrl.Result{}, err
	}
	m.forget()
	return ctrl.Result{}, nil
}

func (m *ConstructorCalledByHelper) forget() {
	m.recent = recent.New(time.Minute) // want "ctxloop: .*never observes"
}

// ConstructorCalledInSetup builds its cache once. The goroutine lives as long as the
// process, as the cache does.
type ConstructorCalledInSetup struct {
	seen *ttl.Cache[string]
}

func (r *ConstructorCalledInSetup) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.seen.Add(req.String())
	return ctrl.Result{}, nil
}

func (r *ConstructorCalledInSetup) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	r.seen = ttl.New[string](time.Hour)
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
