// Package primary keeps what it waits for in a closure, apart from the loop.
package primary

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
	promoted := func() bool {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return false
		}
		return thing.Status.Phase == "Primary"
	}
	for !promoted() { // want "ctxloop: .*never observes"
		time.Sleep(2 * time.Second)
	}

	pause := func() { time.Sleep(10 * time.Second) }
	for range 6 { // want "ctxloop: .*never observes"
		if promoted() {
			break
		}
		pause()
	}
	return ctrl.Result{}, nil
}
