// Package issuer limits a part of its work only, in a variable of its own.
package issuer

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Setup func(ctx context.Context, secret *corev1.Secret) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		err = errors.Join(err, r.Status().Update(ctx, node))
	}()
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return ctrl.Result{}, r.Setup(limited, new(corev1.Secret))
}
