// Package controller takes the desired spec over by deep copies.
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
	live := &networkingv1.NetworkPolicy{}
	if err := r.Get(ctx, req.NamespacedName, live); err != nil {
		return ctrl.Result{}, err
	}
	updated := live.DeepCopy()
	desired(&thing).Spec.DeepCopyInto(&updated.Spec)
	return ctrl.Result{}, r.Patch(ctx, updated, client.MergeFrom(live))
}

func desired(thing *thingapi.Thing) *networkingv1.NetworkPolicy {
	policy := &networkingv1.NetworkPolicy{}
	for _, cidr := range thing.Spec.Config { // want "unstablewrite: map order .*NetworkPolicy"
		peer := networkingv1.NetworkPolicyPeer{IPBlock: &networkingv1.IPBlock{CIDR: cidr}}
		policy.Spec.Ingress = append(policy.Spec.Ingress, networkingv1.NetworkPolicyIngressRule{
			From: []networkingv1.NetworkPolicyPeer{peer},
		})
	}
	return policy
}
