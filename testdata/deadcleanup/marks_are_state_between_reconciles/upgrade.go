// Package upgrade marks a node in one reconcile and takes the mark off in a later
// one: it comes back instead of waiting.
package upgrade

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Upgraded func(node *corev1.Node) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !node.Spec.Unschedulable {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, r.cordon(ctx, node)
	}
	if !r.Upgraded(node) {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	return ctrl.Result{}, r.uncordon(ctx, node)
}

func (r *Reconciler) cordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = true
	return r.Update(ctx, node)
}

func (r *Reconciler) uncordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = false
	return r.Update(ctx, node)
}
