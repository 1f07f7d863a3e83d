// Package controller assembles the object first and sorts inside it, right
// before the write.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, err
	}
	service.Spec.ExternalIPs = nil
	for _, ip := range thing.Spec.Config {
		service.Spec.ExternalIPs = append(service.Spec.ExternalIPs, ip)
	}
	sort.Strings(service.Spec.ExternalIPs)
	return ctrl.Result{}, r.Update(ctx, &service)
}
