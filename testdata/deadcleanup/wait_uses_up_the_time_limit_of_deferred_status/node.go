// Package node writes its status in the end, within the time limit of the whole.
package node

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Ready func(ctx context.Context, node *corev1.Node) (bool, error)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	node := new(corev1.Node)
	defer func() {
		err = errors.Join(err, r.Status().Update(ctx, node)) // want "deadcleanup: SubResourceWriter.Update has no effect once ctx has ended the wait at node.go:.*"
	}()
	return ctrl.Result{}, r.waitFor(ctx, node)
}

func (r *Reconciler) waitFor(ctx context.Context, node *corev1.Node) error {
	for {
		ready, err := r.Ready(ctx, node)
		if ready || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
}
