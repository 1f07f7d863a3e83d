// Package controller tries hosts in random order and writes how many answered,
// which does not depend on the order.
package controller

import (
	"context"
	"math/rand"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Reachable func(ctx context.Context, host string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	order := rand.Perm(len(thing.Spec.Hosts))
	up := int32(0)
	for _, i := range order {
		if r.Reachable(ctx, thing.Spec.Hosts[i]) {
			up++
		}
	}
	thing.Status.ReadyReplicas = up
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
