// Package controller makes keys for signing and sessions.
package controller

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// KeyTakenFromTheLiveSecretIfItIsThere asks a helper for the key: it returns
// the stored one, and generates one only when there is none.
type KeyTakenFromTheLiveSecretIfItIsThere struct {
	client.Client
}

func (r *KeyTakenFromTheLiveSecretIfItIsThere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// SigningKeyRegeneratedUnderApply applies a Secret with a new RSA key on each
// pass, which invalidates all tokens signed before.
type SigningKeyRegeneratedUnderApply struct {
	client.Client
}

func (r *SigningKeyRegeneratedUnderApply) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// HostKeyEncodedIntoABuffer makes a new ed25519 key and encodes it into a
// buffer.
type HostKeyEncodedIntoABuffer struct {
	client.Client
}

func (r *HostKeyEncodedIntoABuffer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var out bytes.Buffer
	if err := writeHostKey(&out); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-ssh", Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Type = corev1.SecretTypeOpaque
		secret.Data = map[string][]byte{"host_key": out.Bytes()}
		return nil
	})
	return ctrl.Result{}, err
}

func writeHostKey(w io.Writer) error {
	_, private, err := ed25519.GenerateKey(rand.Reader) // want "unstablewrite: ed25519\\.GenerateKey .*Secret"
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	return pem.Encode(w, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// CookieReadFromTheRandomReader reads a session key from crypto/rand's reader
// each time it renders the settings file.
type CookieReadFromTheRandomReader struct {
	client.Client
}

func (r *CookieReadFromTheRandomReader) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
