// Package controller unites hosts in a set and ranges over it; a set is a map.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
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
	hosts := sets.New(thing.Spec.Hosts...).Union(sets.KeySet(thing.Spec.Config))
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ingress, func() error {
		tls := networkingv1.IngressTLS{SecretName: thing.Spec.SecretRef}
		for host := range hosts { // want "unstablewrite: map order .*Ingress"
			tls.Hosts = append(tls.Hosts, host)
		}
		ingress.Spec.TLS = []networkingv1.IngressTLS{tls}
		return nil
	})
	return ctrl.Result{}, err
}
