// Package gone polls without a context for a condition that a builder returns.
package gone

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	condition := r.podGone(ctx, req.NamespacedName)
	err := wait.PollImmediate(5*time.Second, 10*time.Minute, condition) // want "ctxloop: .*never observes"
	return ctrl.Result{}, err
}

func (r *Reconciler) podGone(ctx context.Context, key client.ObjectKey) wait.ConditionFunc {
	return func() (bool, error) {
		err := r.Get(ctx, key, &corev1.Pod{})
		return apierrors.IsNotFound(err), nil
	}
}
