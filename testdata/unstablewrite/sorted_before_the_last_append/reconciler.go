// Package controller sorts the env vars too early: what is appended afterwards
// comes in map order.
package controller

import (
	"context"
	"sort"

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
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env(&thing)
	return ctrl.Result{}, r.Update(ctx, deploy)
}

func env(thing *thingapi.Thing) []corev1.EnvVar {
	var vars []corev1.EnvVar
	for k, v := range thing.Spec.Config {
		vars = append(vars, corev1.EnvVar{Name: k, Value: v})
	}
	sort.Slice(vars, func(i, j int) bool { return vars[i].Name < vars[j].Name })
	for k, v := range thing.Spec.Labels { // want "unstablewrite: map order .*Deployment"
		vars = append(vars, corev1.EnvVar{Name: "LABEL_" + k, Value: v})
	}
	return vars
}
