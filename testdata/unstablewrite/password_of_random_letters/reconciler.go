// Package controller draws letters one by one for a password that it stores on
// each pass.
package controller

import (
	"context"
	"crypto/rand"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

func password(n int) (string, error) {
	var b strings.Builder
	for range n {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet)))) // want "unstablewrite: rand\\.Int .*Secret"
		if err != nil {
			return "", err
		}
		b.WriteByte(alphabet[i.Int64()])
	}
	return b.String(), nil
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	word, err := password(16)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret.StringData = map[string]string{"password": word}
	return ctrl.Result{}, r.Update(ctx, secret)
}
