// Package controller fills the env vars and containers of a pod from a map.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// EnvOrderFromAMap turns the map of settings into env vars as the map hands
// them out, so the pod template differs on each reconcile and the pods roll.
type EnvOrderFromAMap struct {
	client.Client
}

func (r *EnvOrderFromAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		env := []corev1.EnvVar{{Name: "THING", Value: thing.Name}}
		for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
			env = append(env, corev1.EnvVar{Name: name, Value: value})
		}
		deploy.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Image: thing.Spec.Image, Env: env}}
		return nil
	})
	return ctrl.Result{}, err
}

// EnvSortedAfterTheLoop collects env vars from a map and sorts them by name
// before anybody sees them.
type EnvSortedAfterTheLoop struct {
	client.Client
}

func (r *EnvSortedAfterTheLoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Env: envFor(thing.Spec.Config)}}
		return nil
	})
	return ctrl.Result{}, err
}

func envFor(config map[string]string) []corev1.EnvVar {
	var env []corev1.EnvVar
	for k, v := range config {
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	sort.Slice(env, func(i, j int) bool { return env[i].Name < env[j].Name })
	return env
}

// SortedBeforeTheLastAppend sorts the env vars too early: what is appended
// afterwards comes in map order.
type SortedBeforeTheLastAppend struct {
	client.Client
}

func (r *SortedBeforeTheLastAppend) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// SidecarsAppendedInMapOrder adds a container for each entry of a map, so that
// the containers of the pods change places.
type SidecarsAppendedInMapOrder struct {
	client.Client
}

func (r *SidecarsAppendedInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	sts := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, sts, func() error {
		sts.Spec.ServiceName = thing.Name
		pod := &sts.Spec.Template.Spec
		pod.Containers = []corev1.Container{{Name: "main", Image: thing.Spec.Image}}
		addSidecars(pod, thing.Spec.Config)
		return nil
	})
	return ctrl.Result{}, err
}

func addSidecars(pod *corev1.PodSpec, images map[string]string) {
	for name, image := range images { // want "unstablewrite: map order .*StatefulSet"
		pod.Containers = append(pod.Containers, corev1.Container{Name: name, Image: image})
	}
}
