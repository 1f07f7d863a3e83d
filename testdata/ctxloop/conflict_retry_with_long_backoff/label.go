// Package label repeats conflicting writes at the pace of a slow backoff, which
// sleeps without a context.
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

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
