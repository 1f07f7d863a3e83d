// Package controller turns a map into container ports with lo.MapToSlice.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
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
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, ds, func() error {
		env := lo.MapToSlice(thing.Spec.Config, func(name, value string) corev1.EnvVar { // want "unstablewrite: (map order|lo\\.MapToSlice) .*DaemonSet"
			return corev1.EnvVar{Name: name, Value: value}
		})
		ds.Spec.Template.Spec.Containers = []corev1.Container{{Name: "agent", Image: thing.Spec.Image, Env: env}}
		return nil
	})
	return ctrl.Result{}, err
}
