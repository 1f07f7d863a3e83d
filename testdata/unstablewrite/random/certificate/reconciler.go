// Package controller issues certificates.
package controller

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// CertificateCreatedOnlyWhenTheSecretIsNotFound issues a certificate when the
// Secret does not exist, and leaves it alone ever after.
type CertificateCreatedOnlyWhenTheSecretIsNotFound struct {
	client.Client
}

func (r *CertificateCreatedOnlyWhenTheSecretIsNotFound) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	err := r.Get(ctx, req.NamespacedName, secret)
	if apierrors.IsNotFound(err) {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name+".svc", nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Name, secret.Namespace = req.Name, req.Namespace
		secret.Data = map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM}
		return ctrl.Result{}, r.Create(ctx, secret)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	metav1.SetMetaDataLabel(&secret.ObjectMeta, "things.example.com/managed", "true")
	return ctrl.Result{}, r.Update(ctx, secret)
}

// CertificateRenewedOnlyBeforeItExpires renews a certificate when the stored
// one is about to expire.
type CertificateRenewedOnlyBeforeItExpires struct {
	client.Client
}

func (r *CertificateRenewedOnlyBeforeItExpires) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	left := remaining(secret.Data[corev1.TLSCertKey])
	if left > 30*24*time.Hour {
		return ctrl.Result{RequeueAfter: left - 30*24*time.Hour}, nil
	}
	certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name+".svc", nil, nil)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret.Data = map[string][]byte{corev1.TLSCertKey: certPEM, corev1.TLSPrivateKeyKey: keyPEM}
	return ctrl.Result{}, r.Update(ctx, &secret)
}

func remaining(certPEM []byte) time.Duration {
	certs, err := cert.ParseCertsPEM(certPEM)
	if err != nil {
		return 0
	}
	return time.Until(certs[0].NotAfter)
}

// CertificatesRenewedUnlessTheStoredPairParses renews a certificate if nothing
// usable is stored: what its predicate finds is a structure that it has built
// itself.
type CertificatesRenewedUnlessTheStoredPairParses struct {
	client.Client
}

type authority struct {
	leaf *x509.Certificate
}

func (r *CertificatesRenewedUnlessTheStoredPairParses) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// SkippedWhenAHelperSaysItExists asks a helper whether the Secret exists before
// it makes a new certificate.
type SkippedWhenAHelperSaysItExists struct {
	client.Client
}

func (r *SkippedWhenAHelperSaysItExists) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	exists, err := r.exists(ctx, req.NamespacedName)
	if err != nil || exists {
		return ctrl.Result{}, err
	}
	certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := corev1ac.Secret(req.Name, req.Namespace).
		WithData(map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM})
	return ctrl.Result{}, r.Apply(ctx, secret, client.FieldOwner("thing"))
}

func (r *SkippedWhenAHelperSaysItExists) exists(ctx context.Context, key types.NamespacedName) (bool, error) {
	err := r.Get(ctx, key, &corev1.Secret{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}

// CertificateRegeneratedOnEachReconcile issues a new self-signed certificate on
// each pass, so that clients never trust the one that is served.
type CertificateRegeneratedOnEachReconcile struct {
	client.Client
}

func (r *CertificateRegeneratedOnEachReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	host := req.Name + "." + req.Namespace + ".svc"
	certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(host, nil, []string{host}) // want "unstablewrite: cert\\.GenerateSelfSignedCertKey .*Secret"
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-tls", Namespace: req.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Type = corev1.SecretTypeTLS
		secret.Data = map[string][]byte{corev1.TLSCertKey: certPEM, corev1.TLSPrivateKeyKey: keyPEM}
		return nil
	})
	return ctrl.Result{}, err
}
