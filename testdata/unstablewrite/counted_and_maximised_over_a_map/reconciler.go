// Package controller counts, sums and takes the greatest, in whatever order.
package controller

import (
	"context"
	"fmt"
	"strconv"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
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
	var ready, greatest int32
	for _, value := range thing.Spec.Config {
		n, err := strconv.Atoi(value)
		if err != nil {
			continue
		}
		ready += int32(n)
		if int32(n) > greatest {
			greatest = int32(n)
		}
	}
	thing.Status.ReadyReplicas = ready
	thing.Status.Phase = fmt.Sprintf("at most %d of %d", greatest, len(thing.Spec.Config))
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
