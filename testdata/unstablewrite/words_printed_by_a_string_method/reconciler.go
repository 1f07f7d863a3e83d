// Package controller prints a set by its own String method, which does not sort.
package controller

import (
	"context"
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

type wordSet map[string]bool

func (s wordSet) String() string {
	var b strings.Builder
	for word := range s { // want "unstablewrite: map order .*Deployment"
		b.WriteString(word)
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	plugins := make(wordSet)
	for _, host := range thing.Spec.Hosts {
		plugins[host] = true
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	main.Env = []corev1.EnvVar{{Name: "PLUGINS", Value: plugins.String()}}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
