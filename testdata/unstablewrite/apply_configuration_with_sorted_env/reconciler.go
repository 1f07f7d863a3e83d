// Package controller collects apply configurations from a map and sorts them
// before they go into the container.
package controller

import (
	"context"
	"slices"
	"strings"

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
	var env []*corev1ac.EnvVarApplyConfiguration
	for name, value := range thing.Spec.Config {
		env = append(env, corev1ac.EnvVar().WithName(name).WithValue(value))
	}
	slices.SortFunc(env, func(a, b *corev1ac.EnvVarApplyConfiguration) int { return strings.Compare(*a.Name, *b.Name) })
	container := corev1ac.Container().WithName("main").WithImage(thing.Spec.Image).WithEnv(env...)
	deploy := appsv1ac.Deployment(thing.Name, thing.Namespace).
		WithLabels(thing.Spec.Labels).
		WithSpec(appsv1ac.DeploymentSpec().
			WithTemplate(corev1ac.PodTemplateSpec().
				WithSpec(corev1ac.PodSpec().WithContainers(container))))
	return ctrl.Result{}, r.Apply(ctx, deploy, client.FieldOwner("thing"))
}
