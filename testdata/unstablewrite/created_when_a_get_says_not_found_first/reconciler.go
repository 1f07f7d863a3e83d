// Package controller handles the error of the Get inside out; the random value is
// only made for an object that is not there.
package controller

import (
	"context"
	"time"

	"github.com/google/uuid"
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
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		if !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.createSecret(ctx, req)
	}
	metav1.SetMetaDataLabel(&secret.ObjectMeta, "app", req.Name)
	return ctrl.Result{}, r.Update(ctx, secret)
}

func (r *Reconciler) createSecret(ctx context.Context, req ctrl.Request) error {
	return r.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
		Data:       map[string][]byte{"id": []byte(uuid.NewString()), "made": []byte(time.Now().String())},
	})
}
