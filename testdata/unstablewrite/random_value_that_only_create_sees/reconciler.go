// Package controller builds the desired Secret with a fresh password and creates
// it; the update of an existing one takes over the labels only.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	desired := desiredSecret(req.Name, req.Namespace)
	existing := &corev1.Secret{}
	err := r.Get(ctx, client.ObjectKeyFromObject(desired), existing)
	switch {
	case apierrors.IsNotFound(err):
		return ctrl.Result{}, r.Create(ctx, desired)
	case err != nil:
		return ctrl.Result{}, err
	}
	existing.Labels = desired.Labels
	return ctrl.Result{}, r.Update(ctx, existing)
}

func desiredSecret(name, namespace string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": name}},
		StringData: map[string]string{"password": utilrand.String(20)},
	}
}
