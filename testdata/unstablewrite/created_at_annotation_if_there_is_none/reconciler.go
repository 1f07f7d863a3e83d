// Package controller stamps an annotation once.
package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

const firstSeen = "things.example.com/first-seen"

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, ok := service.Annotations[firstSeen]; !ok {
		if service.Annotations == nil {
			service.Annotations = make(map[string]string)
		}
		service.Annotations[firstSeen] = time.Now().Format(time.RFC3339)
	}
	service.Spec.PublishNotReadyAddresses = true
	return ctrl.Result{}, r.Update(ctx, &service)
}
