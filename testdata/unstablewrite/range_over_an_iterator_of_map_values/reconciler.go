// Package controller ranges over maps.Values, which is the map's order again.
package controller

import (
	"context"
	"maps"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	policy := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, policy, func() error {
		var peers []networkingv1.NetworkPolicyPeer
		for cidr := range maps.Values(thing.Spec.Config) { // want "unstablewrite: (map order|maps\\.Values) .*NetworkPolicy"
			peers = append(peers, networkingv1.NetworkPolicyPeer{IPBlock: &networkingv1.IPBlock{CIDR: cidr}})
		}
		policy.Spec.Ingress = []networkingv1.NetworkPolicyIngressRule{{From: peers}}
		return nil
	})
	return ctrl.Result{}, err
}
