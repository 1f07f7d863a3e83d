// Package node retries conflicts of a write that cannot happen.
package node

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) hold(ctx context.Context, node *corev1.Node) error {
	<-ctx.Done()
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { // want "deadcleanup: retry.RetryOnConflict .Writer.Update, node.go:.*. runs on its context, which is done here"
		if err := r.Get(ctx, client.ObjectKeyFromObject(node), node); err != nil {
			return err
		}
		node.Spec.Unschedulable = false
		return r.Update(ctx, node)
	})
}
