// Package deployment polls with contexts that are never done, below a
// reconciler that has a better one.
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
	if err := r.awaitObserved(req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitReady(req)
}

func (r *Reconciler) awaitObserved(req ctrl.Request) error {
	return wait.PollUntilContextTimeout(context.Background(), 2*time.Second, 3*time.Minute, true, // want "ctxloop: .*never observes"
		func(ctx context.Context) (bool, error) {
			d := &appsv1.Deployment{}
			if err := r.Get(ctx, req.NamespacedName, d); err != nil {
				return false, err
			}
			return d.Status.ObservedGeneration >= d.Generation, nil
		})
}

func (r *Reconciler) awaitReady(req ctrl.Request) error {
	ctx := context.TODO()
	return wait.PollUntilContextCancel(ctx, 2*time.Second, false, func(ctx context.Context) (bool, error) { // want "ctxloop: .*never observes"
		d := &appsv1.Deployment{}
		err := r.Get(ctx, req.NamespacedName, d)
		return err == nil && d.Status.ReadyReplicas == d.Status.Replicas, nil
	})
}
