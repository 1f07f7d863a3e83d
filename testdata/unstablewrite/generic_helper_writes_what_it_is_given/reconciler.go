// Package controller writes through a generic function; the kind is known at the
// call only.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	slice := &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, modify(ctx, r.Client, slice, func(es *discoveryv1.EndpointSlice) {
		es.AddressType = discoveryv1.AddressTypeIPv4
		es.Endpoints = endpoints(thing.Spec.Config)
	})
}

func modify[T client.Object](ctx context.Context, c client.Client, obj T, change func(T)) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
		return err
	}
	change(obj)
	return c.Update(ctx, obj)
}

func endpoints(addresses map[string]string) []discoveryv1.Endpoint {
	out := make([]discoveryv1.Endpoint, 0, len(addresses))
	for host, address := range addresses { // want "unstablewrite: map order .*EndpointSlice"
		out = append(out, discoveryv1.Endpoint{Hostname: &host, Addresses: []string{address}})
	}
	return out
}
