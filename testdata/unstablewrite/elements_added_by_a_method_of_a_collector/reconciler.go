// Package controller ranges over a map and lets a method append each element to
// a field.
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

type volumes struct {
	list []corev1.Volume
}

func (v *volumes) addConfigMap(name string) {
	source := &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}}
	v.list = append(v.list, corev1.Volume{Name: "config-" + name, VolumeSource: corev1.VolumeSource{ConfigMap: source}})
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	collected := &volumes{}
	collected.addConfigMap(thing.Name)
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*DaemonSet"
		collected.addConfigMap(name)
	}
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ds, func() error {
		ds.Spec.Template.Spec.Volumes = collected.list
		return nil
	})
	return ctrl.Result{}, err
}
