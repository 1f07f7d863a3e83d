// Package controller passes what it builds to helpers by value.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func pod(thing *thingapi.Thing) corev1.Pod {
	var env []corev1.EnvVar
	for name, value := range thing.Spec.Config { // want "unstablewrite: .*map order.*Pod"
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	return corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Env: env}}}}
}

func mergeSpec(live *corev1.Pod, desired corev1.Pod) { live.Spec = desired.Spec }

func mergeSorted(live *corev1.Pod, desired corev1.Pod) {
	for i := range desired.Spec.Containers {
		slices.SortFunc(desired.Spec.Containers[i].Env, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	}
	live.Spec = desired.Spec
}

func mergeLabels(live *corev1.Pod, desired corev1.Pod) { live.Labels = desired.Labels }

// DesiredPodByValue copies the spec out of a parameter.
type DesiredPodByValue struct{ client.Client }

func (r *DesiredPodByValue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var live corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &live); err != nil {
		return ctrl.Result{}, err
	}
	mergeSpec(&live, pod(&thing))
	return ctrl.Result{}, r.Update(ctx, &live)
}

// SortedPodByValue sorts the environment before it copies the spec.
type SortedPodByValue struct{ client.Client }

func (r *SortedPodByValue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var live corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &live); err != nil {
		return ctrl.Result{}, err
	}
	mergeSorted(&live, pod(&thing))
	return ctrl.Result{}, r.Update(ctx, &live)
}

// LabelsOfPodByValue copies another field.
type LabelsOfPodByValue struct{ client.Client }

func (r *LabelsOfPodByValue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var live corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &live); err != nil {
		return ctrl.Result{}, err
	}
	mergeLabels(&live, pod(&thing))
	return ctrl.Result{}, r.Update(ctx, &live)
}
