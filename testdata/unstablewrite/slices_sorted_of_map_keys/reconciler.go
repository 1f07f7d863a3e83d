// Package controller takes the keys of a map in order.
package controller

import (
	"context"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	networkingv1 "k8s.io/api/networking/v1"
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
	var ingress networkingv1.Ingress
	if err := r.Get(ctx, req.NamespacedName, &ingress); err != nil {
		return ctrl.Result{}, err
	}
	ingress.Spec.Rules = nil
	for _, host := range slices.Sorted(maps.Keys(thing.Spec.Config)) {
		ingress.Spec.Rules = append(ingress.Spec.Rules, networkingv1.IngressRule{Host: host})
	}
	return ctrl.Result{}, r.Update(ctx, &ingress)
}
