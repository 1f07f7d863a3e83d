// Package controller leaves out entries of a map: those of a list of exceptions,
// those that it has seen, those that the object has.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var exceptions = map[string]bool{"debug": true}

// Exceptions writes the entries that are no exceptions, each value once.
type Exceptions struct{ client.Client }

func (r *Exceptions) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	var args []string
	seen := map[string]bool{}
	for name, value := range thing.Spec.Config { // want "unstablewrite: .*map order.*Pod"
		if exceptions[name] || seen[value] {
			continue
		}
		seen[value] = true
		args = append(args, "--"+name+"="+value)
	}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Args: args}}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// MissingOnes adds the entries that the object does not have: none, in the end.
type MissingOnes struct{ client.Client }

func (r *MissingOnes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, err
	}
	has := map[string]bool{}
	for _, name := range pod.Finalizers {
		has[name] = true
	}
	for name := range thing.Spec.Config {
		if !has[name] {
			pod.Finalizers = append(pod.Finalizers, name)
		}
	}
	return ctrl.Result{}, r.Update(ctx, &pod)
}
