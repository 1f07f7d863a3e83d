// Package controller sorts by a type that implements sort.Interface.
package controller

import (
	"context"
	"sort"

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

type byName []corev1.VolumeMount

func (m byName) Len() int           { return len(m) }
func (m byName) Less(i, j int) bool { return m[i].Name < m[j].Name }
func (m byName) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var mounts []corev1.VolumeMount
	for name, path := range thing.Spec.Config {
		mounts = append(mounts, corev1.VolumeMount{Name: name, MountPath: path})
	}
	sort.Sort(byName(mounts))
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, ds, func() error {
		ds.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", VolumeMounts: mounts}}
		return nil
	})
	return ctrl.Result{}, err
}
