// Package controller applies a Secret with a new RSA key on each pass, which
// invalidates all tokens signed before.
package controller

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"

	corev1 "k8s.io/api/core/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	key, err := signingKey()
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := corev1ac.Secret(req.Name+"-signing", req.Namespace).
		WithType(corev1.SecretTypeOpaque).
		WithData(map[string][]byte{"key.pem": key})
	return ctrl.Result{}, r.Apply(ctx, secret, client.FieldOwner("thing"), client.ForceOwnership)
}

func signingKey() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048) // want "unstablewrite: rsa\\.GenerateKey .*Secret"
	if err != nil {
		return nil, err
	}
	block := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	return pem.EncodeToMemory(block), nil
}
