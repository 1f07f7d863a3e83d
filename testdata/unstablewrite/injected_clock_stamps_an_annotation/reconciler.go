// Package controller asks an injected clock, which is a clock all the same.
package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Clock clock.PassiveClock
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if service.Annotations == nil {
		service.Annotations = map[string]string{}
	}
	service.Annotations["things.example.com/seen"] = r.Clock.Now().Format(time.RFC3339Nano) // want "unstablewrite: .*Now .*Service"
	return ctrl.Result{}, r.Update(ctx, &service)
}
