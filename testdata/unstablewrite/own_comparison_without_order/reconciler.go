// Package controller takes over env vars in map order only if they differ from
// the live ones as sets, which a function of its own says.
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

func sameEnv(a, b []corev1.EnvVar) bool {
	if len(a) != len(b) {
		return false
	}
	values := make(map[string]string, len(a))
	for _, v := range a {
		values[v.Name] = v.Value
	}
	for _, v := range b {
		if value, ok := values[v.Name]; !ok || value != v.Value {
			return false
		}
	}
	return true
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
	var env []corev1.EnvVar
	for name, value := range thing.Spec.Config {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	if sameEnv(main.Env, env) {
		return ctrl.Result{}, nil
	}
	main.Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
