// Package drainer reaches the sleeping loop through an interface of its own
// and through a function value.
package drainer

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Drainer empties a node.
type Drainer interface {
	Drain(node string) bool
}

type Reconciler struct {
	Drainer Drainer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.Drainer.Drain(req.Name) {
		return ctrl.Result{Requeue: true}, nil
	}
	for _, step := range []func(string){r.unregister} {
		step(req.Name)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) unregister(node string) {
	for r.Drainer.Drain(node) { // want "ctxloop: .*never observes"
		time.Sleep(time.Minute)
	}
}

// HTTPDrainer drains over the node's own API.
type HTTPDrainer struct {
	Remaining func(node string) int
}

// Drain implements Drainer.
func (d *HTTPDrainer) Drain(node string) bool {
	for i := 0; d.Remaining(node) > 0; i++ { // want "ctxloop: .*never observes"
		if i == 100 {
			return false
		}
		time.Sleep(10 * time.Second)
	}
	return true
}
