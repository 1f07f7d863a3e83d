// Package controller adds environment variables unless they are there.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/unless_there/env"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Built makes the container anew each time.
type Built struct {
	client.Client
}

func (r *Built) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deployment appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	main := corev1.Container{Name: "main", Env: []corev1.EnvVar{{Name: "MODE", Value: "fast"}}}
	env.Add(&main, corev1.EnvVar{Name: "BUILT", Value: time.Now().Format(time.RFC3339)}) // want "unstablewrite: time\\.Now reaches Deployment"
	deployment.Spec.Template.Spec.Containers = []corev1.Container{main}
	return ctrl.Result{}, r.Update(ctx, &deployment)
}

// Listed makes it of what a ConfigMap has.
type Listed struct {
	client.Client
}

func (r *Listed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var settings corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &settings); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deployment appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deployment); err != nil {
		return ctrl.Result{}, err
	}
	main := corev1.Container{Name: "main"}
	env.Add(&main, listed(settings.Data)...)
	deployment.Spec.Template.Spec.Containers = []corev1.Container{main}
	return ctrl.Result{}, r.Update(ctx, &deployment)
}

func listed(data map[string]string) []corev1.EnvVar {
	var vars []corev1.EnvVar
	for name, value := range data { // want "unstablewrite: map order reaches Deployment"
		vars = append(vars, corev1.EnvVar{Name: name, Value: value})
	}
	return vars
}

// Stored adds to the container that the Deployment has.
type Stored struct {
	client.Client
}

func (r *Stored) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var settings corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &settings); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, err
	}
	main := &deployment.Spec.Template.Spec.Containers[0]
	env.Add(main, listed(settings.Data)...)
	env.Add(main, corev1.EnvVar{Name: "BUILT", Value: time.Now().Format(time.RFC3339)})
	return ctrl.Result{}, r.Update(ctx, deployment)
}
