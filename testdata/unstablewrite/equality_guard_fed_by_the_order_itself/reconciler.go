// Package controller compares before it writes, but what it compares is already
// shuffled: the guard lets nearly every write pass.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	existing := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, existing); err != nil {
		return ctrl.Result{}, err
	}
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	if equality.Semantic.DeepEqual(existing.Spec.Template.Spec.Containers[0].Env, env) {
		return ctrl.Result{}, nil
	}
	existing.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, existing)
}
