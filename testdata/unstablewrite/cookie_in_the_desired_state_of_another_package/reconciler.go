// Package controller overwrites the stored Secret with the desired one, whose
// cookie is drawn anew in the builder's package.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/cookie_in_the_desired_state_of_another_package/resources"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
