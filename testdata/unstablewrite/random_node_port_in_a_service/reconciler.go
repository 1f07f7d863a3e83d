// Package controller draws a node port anew although the Service has one.
package controller

import (
	"context"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for i := range service.Spec.Ports {
		service.Spec.Ports[i].NodePort = 30000 + rand.Int32N(2768) // want "unstablewrite: rand\\.Int32N .*Service"
	}
	return ctrl.Result{}, r.Update(ctx, &service)
}
