// Package controller ranges over what has the order of a map without being one.
package controller

import (
	"context"
	"maps"
	"strings"
	"sync"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// RangeOverAnIteratorOfMapValues ranges over maps.Values, which is the map's
// order again.
type RangeOverAnIteratorOfMapValues struct {
	client.Client
}

func (r *RangeOverAnIteratorOfMapValues) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// NamesRememberedInASyncMap ranges over a sync.Map, whose order is as random as
// that of a map.
type NamesRememberedInASyncMap struct {
	client.Client
	known sync.Map
}

func (r *NamesRememberedInASyncMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.known.Store(req.Name, struct{}{})
	var names []string
	r.known.Range(func(name, _ any) bool { // want "unstablewrite: .*ConfigMap"
		names = append(names, name.(string))
		return true
	})
	var cm corev1.ConfigMap
	if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: "inventory"}, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm.Data = map[string]string{"names": strings.Join(names, ",")}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
