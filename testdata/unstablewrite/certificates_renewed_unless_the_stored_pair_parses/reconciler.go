// Package controller renews a certificate if nothing usable is stored: what
// its predicate finds is a structure that it has built itself.
package controller

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

type authority struct {
	leaf *x509.Certificate
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if shouldRenew(&secret) {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data = map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM}
		if err := r.Update(ctx, &secret); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}

func shouldRenew(secret *corev1.Secret) bool {
	stored := storedAuthority(secret)
	if stored == nil {
		return true
	}
	return stored.leaf.NotAfter.Before(time.Now().Add(24 * time.Hour))
}

func storedAuthority(secret *corev1.Secret) *authority {
	block, _ := pem.Decode(secret.Data["tls.crt"])
	if block == nil {
		return nil
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return &authority{leaf: leaf}
}
