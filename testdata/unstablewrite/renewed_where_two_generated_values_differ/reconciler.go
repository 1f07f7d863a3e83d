// Package controller renews a token if two that it has just made differ, which
// they always do.
package controller

import (
	"context"

	"github.com/google/uuid"
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
	token := uuid.NewString() // want "unstablewrite: uuid.NewString reaches Secret .*in Update"
	if differs(token, uuid.NewString()) {
		secret.StringData = map[string]string{"token": token}
		if err := r.Update(ctx, &secret); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func differs(a, b string) bool { return a != b }
