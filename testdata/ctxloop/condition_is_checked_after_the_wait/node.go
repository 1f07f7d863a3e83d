// Package node leaves its waits on cancellation as on success, and then looks
// at what it waited for: an interrupted wait is told by that.
package node

import (
	"context"
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Drained func(node string) bool
	Remove  func(node string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Remove(req.Name)
}

func (r *Reconciler) drain(ctx context.Context, node string) error {
loop:
	for !r.Drained(node) {
		select {
		case <-ctx.Done():
			break loop
		case <-time.After(5 * time.Second):
		}
	}
	if !r.Drained(node) {
		return fmt.Errorf("node %s is not drained", node)
	}
	return nil
}
