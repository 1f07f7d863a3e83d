// Package controller lists sets by the functions that sort.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/util/sets"
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
	hosts := sets.New(thing.Spec.Hosts...)
	for host := range thing.Spec.Config {
		hosts.Insert(host)
	}
	finalizers := sets.NewString(thing.Finalizers...)
	finalizers.Insert("things.example.com/hosts")

	thing.Finalizers = finalizers.List()
	thing.Spec.Hosts = sets.List(hosts)
	return ctrl.Result{}, r.Update(ctx, &thing)
}
