// Package dns waits in the post statement of its loop.
package dns

import (
	"context"
	"net"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Interval time.Duration
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	resolved := false
	for ; !resolved; <-time.After(r.Interval) { // want "ctxloop: .*never observes"
		hosts, err := net.DefaultResolver.LookupHost(ctx, req.Name)
		resolved = err == nil && len(hosts) > 0
	}
	return ctrl.Result{}, nil
}
