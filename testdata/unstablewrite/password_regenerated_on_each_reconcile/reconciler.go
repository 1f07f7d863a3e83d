// Package controller draws a new password in the mutate function: nobody can log
// in with the one that was handed out a minute ago.
package controller

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Spec.SecretRef, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		password, err := generatePassword(24)
		if err != nil {
			return err
		}
		secret.Data = map[string][]byte{"username": []byte("admin"), "password": []byte(password)}
		return nil
	})
	return ctrl.Result{}, err
}

func generatePassword(n int) (string, error) {
	raw := make([]byte, n)
	if _, err := rand.Read(raw); err != nil { // want "unstablewrite: rand\\.Read .*Secret"
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}
