// Package deployment polls with the context that it was given.
package deployment

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ready := r.ready(req.NamespacedName)
	if err := wait.PollUntilContextTimeout(ctx, 2*time.Second, 3*time.Minute, true, ready); err != nil {
		return ctrl.Result{}, err
	}
	if err := wait.PollUntilContextCancel(ctx, 2*time.Second, false, ready); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.olderPolls(ctx, req.NamespacedName)
}

func (r *Reconciler) olderPolls(ctx context.Context, key client.ObjectKey) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	if err := wait.PollImmediateUntilWithContext(ctx, 5*time.Second, r.ready(key)); err != nil {
		return err
	}
	if err := wait.PollWithContext(ctx, 5*time.Second, time.Minute, r.ready(key)); err != nil {
		return err
	}
	return wait.PollUntil(5*time.Second, func() (bool, error) { return r.ready(key)(ctx) }, ctx.Done())
}

func (r *Reconciler) ready(key client.ObjectKey) wait.ConditionWithContextFunc {
	return func(ctx context.Context) (bool, error) {
		d := &appsv1.Deployment{}
		if err := r.Get(ctx, key, d); err != nil {
			return false, nil
		}
		return d.Status.ReadyReplicas == d.Status.Replicas, nil
	}
}
