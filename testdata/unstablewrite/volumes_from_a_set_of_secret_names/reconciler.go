// Package controller dedupes secret names with a set and mounts them in the
// order in which the set is ranged over.
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
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Volumes = volumes(&thing)
	return ctrl.Result{}, r.Update(ctx, deploy)
}

func volumes(thing *thingapi.Thing) []corev1.Volume {
	seen := make(map[string]struct{})
	for _, host := range thing.Spec.Hosts {
		seen["tls-"+host] = struct{}{}
	}
	var volumes []corev1.Volume
	for name := range seen { // want "unstablewrite: map order .*Deployment"
		volumes = append(volumes, corev1.Volume{
			Name:         name,
			VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}},
		})
	}
	return volumes
}
