// Package controller issues a certificate when the Secret does not exist, and
// leaves it alone ever after.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	err := r.Get(ctx, req.NamespacedName, secret)
	if apierrors.IsNotFound(err) {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name+".svc", nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Name, secret.Namespace = req.Name, req.Namespace
		secret.Data = map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM}
		return ctrl.Result{}, r.Create(ctx, secret)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	metav1.SetMetaDataLabel(&secret.ObjectMeta, "things.example.com/managed", "true")
	return ctrl.Result{}, r.Update(ctx, secret)
}
