// Package controller puts a list in map order into a set and lists that sorted.
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
	var hosts []string
	for zone, name := range thing.Spec.Config {
		hosts = append(hosts, name+"."+zone)
	}
	unique := sets.New(hosts...).Difference(sets.New("localhost"))
	base := thing.DeepCopy()
	thing.Status.Members = sets.List(unique)
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}
