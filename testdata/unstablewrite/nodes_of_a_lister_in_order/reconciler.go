// Package controller takes nodes from an informer's lister as they come.
package controller

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Nodes corelisters.NodeLister
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	nodes, err := r.Nodes.List(labels.Everything()) // want "unstablewrite: list order .*DaemonSet"
	if err != nil {
		return ctrl.Result{}, err
	}
	var env []corev1.EnvVar
	for i, node := range nodes {
		env = append(env, corev1.EnvVar{Name: fmt.Sprintf("PEER_%d", i), Value: node.Name})
	}
	var ds appsv1.DaemonSet
	if err := r.Get(ctx, req.NamespacedName, &ds); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ds.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &ds)
}
