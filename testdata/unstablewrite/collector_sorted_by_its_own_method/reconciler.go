// Package controller collects in map order and calls the collector's own Sort.
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

type volumes struct {
	list []corev1.Volume
}

func (v *volumes) add(name string) {
	v.list = append(v.list, corev1.Volume{Name: name})
}

// Sort orders the volumes by name.
func (v *volumes) Sort() {
	sort.Slice(v.list, func(i, j int) bool { return v.list[i].Name < v.list[j].Name })
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var collected volumes
	for name := range thing.Spec.Config {
		collected.add(name)
	}
	collected.Sort()
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ds, func() error {
		ds.Spec.Template.Spec.Volumes = collected.list
		return nil
	})
	return ctrl.Result{}, err
}
