// Package controller appends what the live object lacks; what is there stays
// where it is, so the next pass changes nothing.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	var account corev1.ServiceAccount
	if err := r.Get(ctx, req.NamespacedName, &account); err != nil {
		return ctrl.Result{}, err
	}
	changed := false
	for name := range thing.Spec.Config {
		ref := corev1.LocalObjectReference{Name: name}
		if !slices.Contains(account.ImagePullSecrets, ref) {
			account.ImagePullSecrets = append(account.ImagePullSecrets, ref)
			changed = true
		}
	}
	if !changed {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Update(ctx, &account)
}
