// Package controller applies a status by an apply configuration, with endpoints
// in map order.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
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
	status := corev1ac.ServiceStatus()
	lb := corev1ac.LoadBalancerStatus()
	for _, ip := range thing.Spec.Config { // want "unstablewrite: map order .*Service"
		lb.WithIngress(corev1ac.LoadBalancerIngress().WithIP(ip))
	}
	service := corev1ac.Service(thing.Name, thing.Namespace).WithStatus(status.WithLoadBalancer(lb))
	return ctrl.Result{}, r.Status().Apply(ctx, service, client.FieldOwner("thing"), client.ForceOwnership)
}
