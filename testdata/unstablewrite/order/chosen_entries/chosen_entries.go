// Package controller treats some entries of a map in another way.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func args(config map[string]string) []string {
	var list []string
	for name, value := range config { // want "unstablewrite: .*map order.*Pod"
		if name == "verbose" {
			list = append(list, "-v")
		} else {
			list = append(list, "--"+name+"="+value)
		}
	}
	return list
}

// ArgsWithAShortForm writes arguments in the order of a map, one of them in a short
// form.
type ArgsWithAShortForm struct{ client.Client }

func (r *ArgsWithAShortForm) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: args(thing.Spec.Config)}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// SortedArgsWithAShortForm sorts them.
type SortedArgsWithAShortForm struct{ client.Client }

func (r *SortedArgsWithAShortForm) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	list := args(thing.Spec.Config)
	slices.Sort(list)
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: list}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// MissingFinalizers adds the entries that the object does not have yet: none, in the
// end.
type MissingFinalizers struct{ client.Client }

func (r *MissingFinalizers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	for name := range thing.Spec.Config {
		if !slices.Contains(pod.Finalizers, name) {
			pod.Finalizers = append(pod.Finalizers, name)
		}
	}
	return ctrl.Result{}, r.Update(ctx, &pod)
}
