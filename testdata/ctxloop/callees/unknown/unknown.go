// Package unknown calls what it does not know to wait.
package unknown

import (
	"context"
	"database/sql"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Backend is implemented outside of this module.
type Backend interface {
	WaitOnce(name string) bool
}

// CalleeIsUnknown calls through an interface that others implement, and a
// library's call that takes the context: whether those wait is not known, that
// they observe it must be believed.
type CalleeIsUnknown struct {
	Backend Backend
	DB      *sql.DB
}

func (r *CalleeIsUnknown) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for !r.Backend.WaitOnce(req.Name) {
	}
	for {
		if err := r.DB.PingContext(ctx); err != nil {
			return ctrl.Result{}, err
		}
		if r.DB.Stats().Idle > 0 {
			return ctrl.Result{}, nil
		}
		time.Sleep(time.Second)
	}
}

type Pacer interface {
	Pause(d time.Duration)
}

type Retrier interface {
	Do(f func() error) error
}

// FunctionsThatNobodyCallsWaits calls functions through interfaces whose
// implementations are elsewhere. Whether they wait is not known.
type FunctionsThatNobodyCallsWaits struct {
	Pacer   Pacer
	Retrier Retrier
	Empty   func() bool
	Evict   func() error
}

func (d *FunctionsThatNobodyCallsWaits) Drain(ctx context.Context) error {
	for !d.Empty() {
		d.Pacer.Pause(10 * time.Second)
	}
	return d.Retrier.Do(d.Evict)
}
