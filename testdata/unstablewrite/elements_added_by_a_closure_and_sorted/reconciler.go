// Package controller appends through a closure while it ranges over a map, and
// sorts in the end.
package controller

import (
	"cmp"
	"context"
	"slices"
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
	for name, value := range thing.Spec.Config {
		add(strings.ToUpper(name), value)
	}
	add("NAME", thing.Name)
	slices.SortStableFunc(env, func(a, b corev1.EnvVar) int { return cmp.Compare(a.Name, b.Name) })
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
