// Package controller applies a Deployment by an apply configuration; the env
// list is ordered under server-side apply as well.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	container := corev1ac.Container().WithName("main").WithImage(thing.Spec.Image)
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		container.WithEnv(corev1ac.EnvVar().WithName(name).WithValue(value))
	}
	labels := map[string]string{"app": thing.Name}
	deploy := appsv1ac.Deployment(thing.Name, thing.Namespace).
		WithSpec(appsv1ac.DeploymentSpec().
			WithTemplate(corev1ac.PodTemplateSpec().
				WithLabels(labels).
				WithSpec(corev1ac.PodSpec().WithContainers(container))))
	return ctrl.Result{}, r.Apply(ctx, deploy, client.FieldOwner("thing"), client.ForceOwnership)
}
