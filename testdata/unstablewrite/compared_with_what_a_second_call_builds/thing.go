// Package controller updates a Deployment only if its env differs from the one
// wished. If that has an order of its own each time it is built, it always does.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	if r.needsUpdate(&thing, main) {
		main.Env = r.env(&thing)
		return ctrl.Result{}, r.Update(ctx, &deploy)
	}
	if r.needsSorted(&thing, main) {
		main.Env = r.labels(&thing)
		return ctrl.Result{}, r.Update(ctx, &deploy)
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) needsUpdate(thing *thingapi.Thing, main *corev1.Container) bool {
	if main.Image != thing.Spec.Image {
		return true
	}
	wished := r.env(thing)
	if !equality.Semantic.DeepEqual(main.Env, wished) {
		return true
	}
	return false
}

func (r *Reconciler) env(thing *thingapi.Thing) []corev1.EnvVar {
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Config { // want "unstablewrite: map order reaches Deployment spec.template.spec.containers.env"
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	return env
}

// needsSorted compares two copies in order.
func (r *Reconciler) needsSorted(thing *thingapi.Thing, main *corev1.Container) bool {
	return !equality.Semantic.DeepEqual(sorted(main.Env), sorted(r.labels(thing)))
}

func (r *Reconciler) labels(thing *thingapi.Thing) []corev1.EnvVar {
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Labels {
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	return env
}

func sorted(env []corev1.EnvVar) []corev1.EnvVar {
	env = slices.Clone(env)
	slices.SortFunc(env, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	return env
}
