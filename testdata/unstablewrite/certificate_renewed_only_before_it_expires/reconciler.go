// Package controller renews a certificate when the stored one is about to
// expire.
package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"
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
	left := remaining(secret.Data[corev1.TLSCertKey])
	if left > 30*24*time.Hour {
		return ctrl.Result{RequeueAfter: left - 30*24*time.Hour}, nil
	}
	certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name+".svc", nil, nil)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret.Data = map[string][]byte{corev1.TLSCertKey: certPEM, corev1.TLSPrivateKeyKey: keyPEM}
	return ctrl.Result{}, r.Update(ctx, &secret)
}

func remaining(certPEM []byte) time.Duration {
	certs, err := cert.ParseCertsPEM(certPEM)
	if err != nil {
		return 0
	}
	return time.Until(certs[0].NotAfter)
}
