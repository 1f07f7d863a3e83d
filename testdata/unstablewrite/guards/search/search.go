// Package search asks by a search whether to write.
package search

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func joined(labels map[string]string) string {
	var all []string
	for host := range labels { // want "unstablewrite: map order reaches Pod metadata.annotations\\[hosts\\]"
		all = append(all, host)
	}
	return strings.Join(all, ",")
}

func others(labels map[string]string) string {
	var all []string
	for host := range labels {
		all = append(all, host)
	}
	return strings.Join(all, ",")
}

// Found writes hosts in a random order where a search has found a container, which stays.
type Found struct {
	client.Client
}

func (r *Found) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	found := false
	for _, container := range pod.Spec.Containers {
		if container.Name == "main" {
			found = true
			break
		}
	}
	if !found {
		return ctrl.Result{}, nil
	}
	pod.Annotations["hosts"] = joined(pod.Labels)
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// NotFound adds a container where there is none, which the next search finds.
type NotFound struct {
	client.Client
}

func (r *NotFound) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	found := false
	for _, container := range pod.Spec.Containers {
		if container.Name == "main" {
			found = true
			break
		}
	}
	if found {
		return ctrl.Result{}, nil
	}
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "main", Args: []string{others(pod.Labels)}})
	return ctrl.Result{}, r.Update(ctx, &pod)
}

// isSubset reports whether all labels are there.
func isSubset(subset, superset map[string]string) bool {
	if len(subset) > len(superset) {
		return false
	}
	for key, value := range subset {
		if have, ok := superset[key]; !ok || have != value {
			return false
		}
	}
	return true
}

// Subset writes where labels are missing, and adds them.
type Subset struct {
	client.Client
	labels map[string]string
}

func (r *Subset) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if isSubset(r.labels, pod.Labels) {
		return ctrl.Result{}, nil
	}
	for key, value := range r.labels {
		pod.Labels[key] = value
	}
	pod.Annotations["hosts"] = others(pod.Labels)
	return ctrl.Result{}, r.Update(ctx, &pod)
}
