// Package controller sorts lists through pointers to them, shortly before the
// write.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func normalise(lists ...*[]corev1.EnvVar) {
	for _, list := range lists {
		slices.SortFunc(*list, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	}
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
	main := &deploy.Spec.Template.Spec.Containers[0]
	main.Env = nil
	for k, v := range thing.Spec.Config {
		main.Env = append(main.Env, corev1.EnvVar{Name: k, Value: v})
	}
	normalise(&main.Env)
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
