// Package drainer waits behind an interface of its own, whose implementations
// listen to the context.
package drainer

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Drainer empties a node.
type Drainer interface {
	Drain(ctx context.Context, node string) error
}

type Reconciler struct {
	Drainer Drainer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for _, node := range []string{req.Name, req.Name + "-arbiter"} {
		if err := r.Drainer.Drain(ctx, node); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// HTTPDrainer drains over the node's own API.
type HTTPDrainer struct {
	Remaining func(node string) int
}

// Drain implements Drainer.
func (d *HTTPDrainer) Drain(ctx context.Context, node string) error {
	for d.Remaining(node) > 0 {
		if err := d.pause(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *HTTPDrainer) pause(ctx context.Context) error {
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}
