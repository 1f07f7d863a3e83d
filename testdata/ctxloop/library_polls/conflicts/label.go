// Package label repeats conflicting writes.
package label

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

// ConflictRetryWithDefaultBackoff repeats conflicting writes at the usual pace:
// a third of a second in all, and any other error ends it.
type ConflictRetryWithDefaultBackoff struct {
	Clientset kubernetes.Interface
}

func (r *ConflictRetryWithDefaultBackoff) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return r.cordon(ctx, req.Name, true)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		return r.cordon(ctx, req.Name, false)
	})
}

func (r *ConflictRetryWithDefaultBackoff) cordon(ctx context.Context, name string, on bool) error {
	node, err := r.Clientset.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	node.Spec.Unschedulable = on
	_, err = r.Clientset.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}

// ConflictRetryWithLongBackoff repeats conflicting writes at the pace of a slow
// backoff, which sleeps without a context.
type ConflictRetryWithLongBackoff struct {
	Clientset kubernetes.Interface
}

func (r *ConflictRetryWithLongBackoff) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	slow := wait.Backoff{Steps: 12, Duration: 5 * time.Second, Factor: 1.5}
	err := retry.RetryOnConflict(slow, func() error { // want "ctxloop: .*(only after|never observes)"
		node, err := r.Clientset.CoreV1().Nodes().Get(ctx, req.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		node.Spec.Unschedulable = true
		_, err = r.Clientset.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
		return err
	})
	return ctrl.Result{}, err
}
