// Package controller sorts the keys of the map and ranges over those.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
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
	names := make([]string, 0, len(thing.Spec.Config))
	for name := range thing.Spec.Config {
		names = append(names, name)
	}
	sort.Strings(names)

	var args []string
	for _, name := range names {
		args = append(args, "--"+name+"="+thing.Spec.Config[name])
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Args = args
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
