// Package controller writes by CreateOrUpdate.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// CreateOrUpdateThroughTheShortAlias calls CreateOrUpdate by the alias in the
// root package of controller-runtime, which is a variable.
type CreateOrUpdateThroughTheShortAlias struct {
	client.Client
}

func (r *CreateOrUpdateThroughTheShortAlias) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	result, err := ctrl.CreateOrUpdate(ctx, r.Client, quota, func() error {
		quota.Spec.Scopes = nil
		for scope := range thing.Spec.Labels { // want "unstablewrite: map order .*ResourceQuota"
			quota.Spec.Scopes = append(quota.Spec.Scopes, corev1.ResourceQuotaScope(scope))
		}
		return nil
	})
	log.FromContext(ctx).Info("reconciled quota", "result", result)
	return ctrl.Result{}, err
}

// MutateFunctionIsAMethodValue passes a method value as mutate function.
type MutateFunctionIsAMethodValue struct {
	client.Client
}

type deploymentMutator struct {
	thing  *thingapi.Thing
	deploy *appsv1.Deployment
}

func (m *deploymentMutator) mutate() error {
	pod := &m.deploy.Spec.Template.Spec
	pod.InitContainers = nil
	for name, image := range m.thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		pod.InitContainers = append(pod.InitContainers, corev1.Container{Name: name, Image: image})
	}
	return nil
}

func (r *MutateFunctionIsAMethodValue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	m := &deploymentMutator{thing: &thing, deploy: deploy}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, m.mutate)
	return ctrl.Result{}, err
}
