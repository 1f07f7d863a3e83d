// Package label repeats conflicting writes at the usual pace: a third of a
// second in all, and any other error ends it.
package label

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		return r.cordon(ctx, req.Name, true)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		return r.cordon(ctx, req.Name, false)
	})
}

func (r *Reconciler) cordon(ctx context.Context, name string, on bool) error {
	node, err := r.Clientset.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	node.Spec.Unschedulable = on
	_, err = r.Clientset.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
	return err
}
