// Package controller sets a random value in the mutate function only while the
// object has no creation timestamp.
package controller

import (
	"context"

	"github.com/google/uuid"
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
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, secret, func() error {
		if secret.CreationTimestamp.IsZero() {
			secret.StringData = map[string]string{"token": uuid.NewString()}
		}
		secret.Type = corev1.SecretTypeOpaque
		return nil
	})
	return ctrl.Result{}, err
}
