// Package controller appends through a closure that is called while it ranges
// over a map.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
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
	var env []corev1.EnvVar
	add := func(name, value string) {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	add("NAME", thing.Name)
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		add(strings.ToUpper(name), value)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
