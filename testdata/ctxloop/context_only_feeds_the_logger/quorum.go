// Package quorum asks its context for a logger and for nothing else.
package quorum

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	Members func(name string) int
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*never observes"
		n := r.Members(req.Name)
		if n >= 2 {
			return ctrl.Result{}, nil
		}
		log.FromContext(ctx).Info("no quorum yet", "members", n)
		time.Sleep(10 * time.Second)
	}
}
