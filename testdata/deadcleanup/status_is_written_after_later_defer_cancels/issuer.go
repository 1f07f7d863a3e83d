// Package issuer limits the time that it takes to set an issuer up. The deferred
// literal that writes the status loads the variable when it runs: what it finds
// there has been cancelled by the defer statement after it.
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
		err = errors.Join(err, r.Status().Update(ctx, node)) // want "deadcleanup: SubResourceWriter.Update runs after ctx is cancelled by the later defer at issuer.go:.*"
	}()

	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return ctrl.Result{}, r.Setup(ctx, new(corev1.Secret))
}
