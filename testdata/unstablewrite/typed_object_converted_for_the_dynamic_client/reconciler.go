// Package controller converts a typed object to unstructured content and applies
// it with the dynamic client.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Dynamic dynamic.Interface
}

var deployments = appsv1.SchemeGroupVersion.WithResource("deployments")

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	container := corev1.Container{Name: "main"}
	for k, v := range thing.Spec.Config { // want "unstablewrite: map order "
		container.Env = append(container.Env, corev1.EnvVar{Name: k, Value: v})
	}
	deploy.Spec.Template.Spec.Containers = []corev1.Container{container}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(deploy)
	if err != nil {
		return ctrl.Result{}, err
	}
	_, err = r.Dynamic.Resource(deployments).Namespace(thing.Namespace).
		Apply(ctx, thing.Name, &unstructured.Unstructured{Object: content}, metav1.ApplyOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}
