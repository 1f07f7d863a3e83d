// Package controller reads a session key from crypto/rand's reader each time it
// renders the settings file.
package controller

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cookie := make([]byte, 32)
	if _, err := io.ReadFull(rand.Reader, cookie); err != nil { // want "unstablewrite: .*Secret"
		return ctrl.Result{}, err
	}
	secret.Data = map[string][]byte{"settings.ini": fmt.Appendf(nil, "[session]\nkey = %x\n", cookie)}
	return ctrl.Result{}, r.Update(ctx, &secret)
}
