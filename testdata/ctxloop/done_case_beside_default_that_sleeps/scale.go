// Package scale has a Done case, but a default beside it, so that the select
// never waits: the sleep in the default branch does.
package scale

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*only after"
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		default:
			thing := &thingapi.Thing{}
			if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
				return ctrl.Result{}, err
			}
			if thing.Status.ReadyReplicas > 0 {
				return ctrl.Result{}, nil
			}
			time.Sleep(15 * time.Second)
		}
	}
}
