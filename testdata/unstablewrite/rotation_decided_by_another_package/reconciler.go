// Package controller renews what another package finds expired.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/rotation_decided_by_another_package/rotation"
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
	if rotation.Due(secret.Data["tls.crt"]) {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data = map[string][]byte{"tls.crt": certPEM, "tls.key": keyPEM}
		if err := r.Update(ctx, &secret); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{RequeueAfter: time.Hour}, nil
}
