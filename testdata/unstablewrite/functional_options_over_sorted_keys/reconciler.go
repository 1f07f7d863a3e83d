// Package controller assembles an object by functional options that visit sorted
// keys.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

type option func(*corev1.Container)

func withEnv(env map[string]string) option {
	return func(c *corev1.Container) {
		keys := lo.Keys(env)
		slices.Sort(keys)
		for _, key := range keys {
			c.Env = append(c.Env, corev1.EnvVar{Name: key, Value: env[key]})
		}
	}
}

func newContainer(name string, options ...option) corev1.Container {
	c := corev1.Container{Name: name}
	for _, apply := range options {
		apply(&c)
	}
	return c
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers = []corev1.Container{newContainer("main", withEnv(thing.Spec.Config))}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
