// Package controller creates the desired Secret or updates it: the update writes
// the password that was drawn for the creation.
package controller

import (
	"context"
	"crypto/rand"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	desired := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-admin", Namespace: req.Namespace},
		StringData: map[string]string{"user": "admin", "password": rand.Text()}, // want "unstablewrite: rand\\.Text .*Secret"
	}
	existing := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(desired), existing); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, r.Create(ctx, desired)
		}
		return ctrl.Result{}, err
	}
	desired.ResourceVersion = existing.ResourceVersion
	return ctrl.Result{}, r.Update(ctx, desired)
}
