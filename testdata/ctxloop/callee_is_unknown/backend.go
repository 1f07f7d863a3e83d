// Package backend calls through an interface that others implement, and a
// library's call that takes the context: whether those wait is not known, that
// they observe it must be believed.
package backend

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

type Reconciler struct {
	Backend Backend
	DB      *sql.DB
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
