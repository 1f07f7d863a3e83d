// Package node writes the status of what it reconciles in the end, on the context
// of the reconcile: only the end of the process cancels that, and the next process
// writes the status.
package node

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := node.DeepCopy()
	defer func() {
		err = errors.Join(err, r.Status().Patch(ctx, node, client.MergeFrom(before)))
	}()
	return ctrl.Result{}, r.Update(ctx, node)
}
