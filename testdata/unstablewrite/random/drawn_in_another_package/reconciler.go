// Package controller writes random values that other packages make.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/random/drawn_in_another_package/pki"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/random/drawn_in_another_package/resources"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// CertificateIssuedByAnotherPackageEachTime stores what package pki issues, and
// asks it each time.
type CertificateIssuedByAnotherPackageEachTime struct {
	client.Client
}

func (r *CertificateIssuedByAnotherPackageEachTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// CookieInTheDesiredStateOfAnotherPackage overwrites the stored Secret with the
// desired one, whose cookie is drawn anew in the builder's package.
type CookieInTheDesiredStateOfAnotherPackage struct {
	client.Client
}

func (r *CookieInTheDesiredStateOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	desired := resources.CookieSecret(&thing) // want "unstablewrite: .*Secret"
	var existing corev1.Secret
	err := r.Get(ctx, client.ObjectKeyFromObject(desired), &existing)
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, r.Create(ctx, desired)
	} else if err != nil {
		return ctrl.Result{}, err
	}
	existing.Data = desired.Data
	return ctrl.Result{}, r.Update(ctx, &existing)
}
