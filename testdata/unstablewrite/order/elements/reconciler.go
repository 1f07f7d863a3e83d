// Package controller updates the elements of a list one by one. The order of the
// list decides which one is first, not what is written.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Names writes the names of all pods to each of them.
type Names struct {
	client.Client
	Notify func(name string) error
}

func (r *Names) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.updateAll(ctx, req.Namespace)
}

func (r *Names) updateAll(ctx context.Context, namespace string) error {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(namespace)); err != nil { // want "unstablewrite: list order reaches Pod metadata.finalizers"
		return err
	}
	var names []string
	for i := range pods.Items {
		names = append(names, "example.com/"+pods.Items[i].Name)
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if err := r.Notify(pod.Name); err != nil {
			return err
		}
		pod.Finalizers = names
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// Each removes the node of each pod.
type Each struct {
	client.Client
	Notify func(name string) error
}

func (r *Each) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.updateAll(ctx, req.Namespace)
}

func (r *Each) updateAll(ctx context.Context, namespace string) error {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(namespace)); err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if err := r.Notify(pod.Name); err != nil {
			return err
		}
		pod.Spec.NodeName = ""
		if err := r.Update(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// AllButNewest removes the node of each pod but the newest.
type AllButNewest struct{ client.Client }

func (r *AllButNewest) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	var newest *corev1.Pod
	for i := range pods.Items {
		pod := &pods.Items[i]
		if newest == nil || newest.CreationTimestamp.Before(&pod.CreationTimestamp) {
			newest = pod
		}
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.Name == newest.Name {
			continue
		}
		pod.Spec.NodeName = ""
		if err := r.Update(ctx, pod); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
