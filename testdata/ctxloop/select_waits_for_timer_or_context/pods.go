// Package pods waits in selects that a done context ends: with a timer, in a
// closure that says whether to go on, and in the loop's post statement.
package pods

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		pod := &corev1.Pod{}
		if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
			return ctrl.Result{}, err
		}
		if pod.Status.Phase == corev1.PodRunning {
			break
		}
		timer := time.NewTimer(5 * time.Second)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctrl.Result{}, ctx.Err()
		case <-timer.C:
		}
	}
	return ctrl.Result{}, r.await(ctx, req)
}

func (r *Reconciler) await(ctx context.Context, req ctrl.Request) error {
	next := func() bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Second):
			return true
		}
	}
	for next() {
		if r.Get(ctx, req.NamespacedName, &corev1.Pod{}) == nil {
			return nil
		}
	}
	return ctx.Err()
}
