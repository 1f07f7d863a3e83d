// Package node has one time limit for its wait and for the status that tells that
// the wait took too long.
package node

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Ready func(ctx context.Context, node *corev1.Node) (bool, error)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	err := wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		return r.Ready(ctx, node)
	})
	if err != nil {
		node.Status.Phase = corev1.NodePending
		return ctrl.Result{}, errors.Join(err, r.Status().Update(ctx, node)) // want "deadcleanup: SubResourceWriter.Update has no effect once ctx has ended the wait at node.go:.*"
	}
	return ctrl.Result{}, nil
}
