// Package controller asks a freshly built object whether it has a token: it
// never has.
package controller

import (
	"context"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-token", Namespace: req.Namespace},
	}
	if len(secret.Data["token"]) == 0 {
		secret.Data = map[string][]byte{"token": []byte(uuid.NewString())} // want "unstablewrite: uuid\\.NewString .*Secret"
	}
	return ctrl.Result{}, r.Patch(ctx, secret, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}
