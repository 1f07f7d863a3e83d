// Package controller takes the keys of a map with x/exp's maps.Keys, which
// returns a slice in map order.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	expmaps "golang.org/x/exp/maps"
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
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Command = command(thing.Spec.Config)
	return ctrl.Result{}, r.Update(ctx, deploy)
}

func command(config map[string]string) []string {
	return append([]string{"/manager", "--"}, expmaps.Keys(config)...) // want "unstablewrite: (map order|maps\\.Keys) .*Deployment"
}
