// Package shards notices cancellation in its inner loop, which it leaves, and
// then begins the next round of the outer one.
package shards

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Pending func(cluster string) []string
	Moved   func(shard string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for len(r.Pending(req.Name)) > 0 { // want "ctxloop: .*never observes"
		for _, shard := range r.Pending(req.Name) {
			if ctx.Err() != nil {
				break
			}
			if r.Moved(shard) {
				continue
			}
		}
		time.Sleep(30 * time.Second)
	}
	return ctrl.Result{}, nil
}
