// Package controller adds a container for each entry of a map, so that the
// containers of the pods change places.
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

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	sts := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, sts, func() error {
		sts.Spec.ServiceName = thing.Name
		pod := &sts.Spec.Template.Spec
		pod.Containers = []corev1.Container{{Name: "main", Image: thing.Spec.Image}}
		addSidecars(pod, thing.Spec.Config)
		return nil
	})
	return ctrl.Result{}, err
}

func addSidecars(pod *corev1.PodSpec, images map[string]string) {
	for name, image := range images { // want "unstablewrite: map order .*StatefulSet"
		pod.Containers = append(pod.Containers, corev1.Container{Name: name, Image: image})
	}
}
