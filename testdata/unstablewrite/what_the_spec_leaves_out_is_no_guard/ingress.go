// Package fixture writes the paths of Ingresses without a default backend, in
// the order of a map. That the user leaves a part of the spec out does not keep
// the write from happening again.
package fixture

import (
	"bytes"
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reconciler reconciles Ingresses.
type Reconciler struct{ client.Client }

// Reconcile lists the annotations of an Ingress in a ConfigMap.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ingress := &networkingv1.Ingress{}
	if err := r.Get(ctx, req.NamespacedName, ingress); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !isBare(ingress) {
		return ctrl.Result{}, nil
	}
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, err
	}
	var names []string
	for name := range ingress.Annotations { // want "unstablewrite: map order reaches ConfigMap"
		names = append(names, name)
	}
	val, err := json.Marshal(names)
	if err != nil {
		return ctrl.Result{}, err
	}
	if bytes.Equal(val, cm.BinaryData["names"]) {
		return ctrl.Result{}, nil
	}
	cm.BinaryData = map[string][]byte{"names": val}
	return ctrl.Result{}, r.Update(ctx, cm)
}

func isBare(ingress *networkingv1.Ingress) bool { return ingress.Spec.DefaultBackend == nil }
