// Package controller renews a certificate for the reason that another package
// gives. That the wish for one is given, too, is no reason.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/renewed_for_a_reason_of_another_package/renewal"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, err
	}
	policy := renewal.Policy{Hosts: thing.Spec.Hosts}
	if reason := policy.Reason(secret.Annotations); len(reason) > 0 {
		certPEM, keyPEM, err := cert.GenerateSelfSignedCertKey(req.Name, nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data["tls.crt"], secret.Data["tls.key"] = certPEM, keyPEM
		policy.Annotate(secret.Annotations, certPEM)
	}
	if mode := renewal.Mode(&thing); mode != "" {
		certPEM, _, err := cert.GenerateSelfSignedCertKey(mode, nil, nil) // want "unstablewrite: .*GenerateSelfSignedCertKey reaches Secret data\\[ca.crt\\]"
		if err != nil {
			return ctrl.Result{}, err
		}
		secret.Data["ca.crt"] = certPEM
	}
	return ctrl.Result{}, r.Update(ctx, &secret)
}
