// Package controller looks for a stored Secret by a helper that returns nil where
// there is none, and draws a password only then.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	stored, err := r.find(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	var password string
	if stored == nil {
		password = utilrand.String(16)
	} else {
		password = string(stored.Data["password"])
	}
	secret := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
		Data:       map[string][]byte{"password": []byte(password)},
	}
	return ctrl.Result{}, r.Patch(ctx, secret, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}

func (r *Reconciler) find(ctx context.Context, key types.NamespacedName) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	err := r.Get(ctx, key, secret)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return secret, err
}
