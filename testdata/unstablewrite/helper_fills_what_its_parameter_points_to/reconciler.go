// Package controller lets several functions add to one Deployment; the one that
// ranges over a map gets only a pointer to a container.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	setReplicas(&deploy, &thing)
	for i := range deploy.Spec.Template.Spec.Containers {
		setMounts(&deploy.Spec.Template.Spec.Containers[i], thing.Spec.Config)
	}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

func setReplicas(deploy *appsv1.Deployment, thing *thingapi.Thing) {
	deploy.Spec.Replicas = thing.Spec.Replicas
}

func setMounts(c *corev1.Container, paths map[string]string) {
	c.VolumeMounts = c.VolumeMounts[:0]
	for name, path := range paths { // want "unstablewrite: map order .*Deployment"
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: path})
	}
}
