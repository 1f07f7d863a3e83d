// Package controller compares lists with functions of its own before it writes.
package controller

import (
	"context"
	"reflect"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ByPosition compares the elements at the same positions, which a map's order changes.
type ByPosition struct {
	client.Client
}

func (r *ByPosition) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var env []corev1.EnvVar
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order reaches Pod spec.containers.env"
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	if samePositions(pod.Spec.Containers[0].Env, env) {
		return ctrl.Result{}, nil
	}
	pod.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &pod)
}

func samePositions(a, b []corev1.EnvVar) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Value != b[i].Value {
			return false
		}
	}
	return true
}

// ByName looks each element up by its name.
type ByName struct {
	client.Client
}

func (r *ByName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var env []corev1.EnvVar
	for name, value := range thing.Spec.Labels {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	if sameNames(pod.Spec.Containers[0].Env, env) {
		return ctrl.Result{}, nil
	}
	pod.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &pod)
}

func sameNames(a, b []corev1.EnvVar) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		found := false
		for j := range b {
			if a[i].Name == b[j].Name && a[i].Value == b[j].Value {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// ByEither compares two fields, the first of them in a map's order.
type ByEither struct {
	client.Client
}

func (r *ByEither) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var args []string
	for name := range thing.Spec.Config { // want "unstablewrite: map order reaches Pod spec.containers.args"
		args = append(args, name)
	}
	modified := !reflect.DeepEqual(pod.Spec.Containers[0].Args, args) || pod.Spec.Containers[0].Image != thing.Spec.Image
	if !modified {
		return ctrl.Result{}, nil
	}
	pod.Spec.Containers[0].Args = args
	pod.Spec.Containers[0].Image = thing.Spec.Image
	return ctrl.Result{}, r.Update(ctx, &pod)
}
