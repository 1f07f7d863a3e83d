// Package controller compares the generation of a Deployment with the one that its
// controller has observed.
package controller

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StampedOnceObserved waits until the Deployment's controller has seen the last change. It
// then stamps the ConfigMap again and again.
type StampedOnceObserved struct {
	client.Client
}

func (r *StampedOnceObserved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deployment appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if deployment.Generation > deployment.Status.ObservedGeneration {
		return ctrl.Result{}, nil
	}
	cm.Data = map[string]string{"at": time.Now().String()} // want "unstablewrite: time\\.Now .*ConfigMap"
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// StampedUntilObserved stamps the ConfigMap until the Deployment's controller has seen the
// last change.
type StampedUntilObserved struct {
	client.Client
}

func (r *StampedUntilObserved) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deployment appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if deployment.Generation <= deployment.Status.ObservedGeneration {
		return ctrl.Result{}, nil
	}
	cm.Data = map[string]string{"at": time.Now().String()}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
