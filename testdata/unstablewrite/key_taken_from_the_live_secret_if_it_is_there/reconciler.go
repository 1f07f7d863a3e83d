// Package controller asks a helper for the key: it returns the stored one, and
// generates one only when there is none.
package controller

import (
	"context"
	"crypto/rand"

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
	key, err := ensureKey(&secret)
	if err != nil {
		return ctrl.Result{}, err
	}
	if secret.Data == nil {
		secret.Data = map[string][]byte{}
	}
	secret.Data["key"] = key
	return ctrl.Result{}, r.Update(ctx, &secret)
}

func ensureKey(secret *corev1.Secret) ([]byte, error) {
	if key, ok := secret.Data["key"]; ok {
		return key, nil
	}
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	return key, nil
}
