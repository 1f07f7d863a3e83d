// Package controller asks a helper whether the Secret exists before it makes a
// new certificate.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	exists, err := r.exists(ctx, req.NamespacedName)
	if err != nil || exists {
		return ctrl.Result{}, err
	}
	certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret := corev1ac.Secret(req.Name, req.Namespace).
		WithData(map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM})
	return ctrl.Result{}, r.Apply(ctx, secret, client.FieldOwner("thing"))
}

func (r *Reconciler) exists(ctx context.Context, key types.NamespacedName) (bool, error) {
	err := r.Get(ctx, key, &corev1.Secret{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}
