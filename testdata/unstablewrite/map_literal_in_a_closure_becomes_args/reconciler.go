// Package controller keeps defaults in a map literal inside a closure; a literal
// is no more ordered than any other map.
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
	flags := func(overrides map[string]string) (args []string) {
		defaults := map[string]string{"log-level": "info", "metrics": ":8080", "workers": "4"}
		for flag, value := range defaults { // want "unstablewrite: map order .*Deployment"
			if other, ok := overrides[flag]; ok {
				value = other
			}
			args = append(args, "--"+flag, value)
		}
		return args
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Args: flags(thing.Spec.Config)}}
		return nil
	})
	return ctrl.Result{}, err
}
