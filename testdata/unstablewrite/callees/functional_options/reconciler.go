// Package controller assembles objects by functional options.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// FunctionalOptionsOverSortedKeys assembles an object by functional options
// that visit sorted keys.
type FunctionalOptionsOverSortedKeys struct {
	client.Client
}

type sortedOption func(*corev1.Container)

func withEnv(env map[string]string) sortedOption {
	return func(c *corev1.Container) {
		keys := lo.Keys(env)
		slices.Sort(keys)
		for _, key := range keys {
			c.Env = append(c.Env, corev1.EnvVar{Name: key, Value: env[key]})
		}
	}
}

func newContainer(name string, options ...sortedOption) corev1.Container {
	c := corev1.Container{Name: name}
	for _, apply := range options {
		apply(&c)
	}
	return c
}

func (r *FunctionalOptionsOverSortedKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// FunctionalOptionsRangeOverAMap assembles an object by functional options; one
// of them is a closure over a map.
type FunctionalOptionsRangeOverAMap struct {
	client.Client
}

type option func(*appsv1.Deployment)

func withImage(image string) option {
	return func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = image }
}

func withArgs(flags map[string]string) option {
	return func(d *appsv1.Deployment) {
		main := &d.Spec.Template.Spec.Containers[0]
		for name, value := range flags { // want "unstablewrite: map order .*Deployment"
			main.Args = append(main.Args, "-"+name, value)
		}
	}
}

func newDeployment(name, namespace string, options ...option) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
	d.Spec.Template.Spec.Containers = make([]corev1.Container, 1)
	for _, apply := range options {
		apply(d)
	}
	return d
}

func (r *FunctionalOptionsRangeOverAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := newDeployment(thing.Name, thing.Namespace, withImage(thing.Spec.Image), withArgs(thing.Spec.Config))
	return ctrl.Result{}, r.Update(ctx, deploy)
}
