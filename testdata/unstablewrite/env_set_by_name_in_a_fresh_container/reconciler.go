// Package controller sets env vars by name, in map order, in a container that it
// has just made: each one is appended.
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
)

type Reconciler struct {
	client.Client
}

func setEnv(env *[]corev1.EnvVar, name, value string) {
	for i := range *env {
		if (*env)[i].Name == name {
			(*env)[i].Value = value
			return
		}
	}
	*env = append(*env, corev1.EnvVar{Name: name, Value: value})
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	container := corev1.Container{Name: "main", Image: thing.Spec.Image}
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		setEnv(&container.Env, name, value)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Template.Spec.Containers = []corev1.Container{container}
		return nil
	})
	return ctrl.Result{}, err
}
