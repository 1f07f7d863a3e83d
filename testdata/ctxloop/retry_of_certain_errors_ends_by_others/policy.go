// Package policy retries live reads while the server says that something is
// forbidden, which it does not say about a done context. A predicate in a
// variable asks the context itself.
package policy

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	halfSeconds := wait.Backoff{Steps: 60, Duration: 500 * time.Millisecond}
	if err := retry.OnError(halfSeconds, apierrors.IsForbidden, func() error {
		_, err := r.Clientset.NetworkingV1().NetworkPolicies("").List(ctx, metav1.ListOptions{})
		return err
	}); err != nil {
		return ctrl.Result{}, err
	}
	whileAlive := func(error) bool { return ctx.Err() == nil }
	err := retry.OnError(halfSeconds, whileAlive, func() error {
		_, err := r.Clientset.NetworkingV1().Ingresses(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		return err
	})
	return ctrl.Result{}, err
}
