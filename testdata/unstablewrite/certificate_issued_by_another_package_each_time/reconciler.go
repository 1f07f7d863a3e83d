// Package controller stores what package pki issues, and asks it each time.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/certificate_issued_by_another_package_each_time/pki"
	corev1 "k8s.io/api/core/v1"
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
	base := secret.DeepCopy()
	ca, err := pki.NewAuthority(req.Name) // want "unstablewrite: .*Secret"
	if err != nil {
		return ctrl.Result{}, err
	}
	secret.Data = map[string][]byte{"ca.crt": ca}
	return ctrl.Result{}, r.Patch(ctx, &secret, client.MergeFrom(base))
}
