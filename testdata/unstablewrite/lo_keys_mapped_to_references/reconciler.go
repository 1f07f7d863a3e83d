// Package controller maps lo.Keys to references: lo.Map keeps the order that it
// is given, and it is given the map's.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
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
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, err
	}
	account.Secrets = lo.Map(lo.Keys(thing.Spec.Config), func(name string, _ int) corev1.ObjectReference { // want "unstablewrite: (map order|lo\\.Keys) .*ServiceAccount"
		return corev1.ObjectReference{Name: name}
	})
	return ctrl.Result{}, r.Update(ctx, account)
}
