// Package node keeps the time limit of its wait from its status, or has a wait
// with a limit of its own within the larger one.
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
	Ready func(ctx context.Context) (bool, error)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	node := new(corev1.Node)
	waiting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := wait.PollUntilContextCancel(waiting, time.Second, true, r.Ready); err != nil {
		node.Status.Phase = corev1.NodePending
		return ctrl.Result{}, errors.Join(err, r.Status().Update(ctx, node))
	}
	return ctrl.Result{}, r.within(ctx, node)
}

func (r *Reconciler) within(ctx context.Context, node *corev1.Node) error {
	inner, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := r.Status().Update(inner, node); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, r.Ready)
}

func (r *Reconciler) withinTwoLimits(ctx context.Context, node *corev1.Node) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	if err := wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, r.Ready); err != nil {
		return errors.Join(err, r.Status().Update(ctx, node))
	}
	if err := r.ready(ctx); err != nil {
		return errors.Join(err, r.Status().Update(ctx, node))
	}
	return nil
}

func (r *Reconciler) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return wait.PollUntilContextCancel(ctx, time.Second, true, r.Ready)
}
