// Package controller writes what a function returns, if it returns anything.
package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type token struct{ text string }

func newToken(name string) *token { return &token{text: name} }

// renewed returns a token if the stored one has expired.
func renewed(secret *corev1.Secret) *token {
	if string(secret.Data["expires"]) > time.Now().UTC().Format(time.RFC3339) {
		return nil
	}
	return newToken(secret.Name)
}

// StampedWhileThereIsAToken stamps a Secret when its token is renewed.
type StampedWhileThereIsAToken struct {
	client.Client
}

func (r *StampedWhileThereIsAToken) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := renewed(&secret)
	if next == nil {
		return ctrl.Result{}, nil
	}
	secret.Data["token"] = []byte(next.text)
	secret.Annotations["things.example.com/renewed"] = time.Now().Format(time.RFC3339)
	return ctrl.Result{}, r.Update(ctx, &secret)
}

// StampedWithAnyToken makes a token each time.
type StampedWithAnyToken struct {
	client.Client
}

func (r *StampedWithAnyToken) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	next := newToken(secret.Name)
	if next == nil {
		return ctrl.Result{}, nil
	}
	secret.Data["token"] = []byte(next.text)
	secret.Annotations["things.example.com/renewed"] = time.Now().Format(time.RFC3339) // want "unstablewrite: time\\.Now .*Secret"
	return ctrl.Result{}, r.Update(ctx, &secret)
}
