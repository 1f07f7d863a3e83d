// Package controller flattens a map of maps; either level alone would shuffle
// the rules of the Ingress.
package controller

import (
	"context"

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
	ingress := &networkingv1.Ingress{}
	if err := r.Get(ctx, req.NamespacedName, ingress); err != nil {
		return ctrl.Result{}, err
	}
	byZone := make(map[string]map[string]bool)
	for name, zone := range thing.Spec.Config {
		if byZone[zone] == nil {
			byZone[zone] = make(map[string]bool)
		}
		byZone[zone][name] = true
	}
	var rules []networkingv1.IngressRule
	for zone, names := range byZone { // want "unstablewrite: map order .*Ingress"
		for name := range names { // want "unstablewrite: map order .*Ingress"
			rules = append(rules, networkingv1.IngressRule{Host: name + "." + zone})
		}
	}
	ingress.Spec.Rules = rules
	return ctrl.Result{}, r.Update(ctx, ingress)
}
