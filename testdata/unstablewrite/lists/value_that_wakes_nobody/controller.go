// Package controller counts its reconciles in the status, of which no event wakes it.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// QuietCount is never woken by its own status.
type QuietCount struct {
	client.Client
}

func (r *QuietCount) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

func (r *QuietCount) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.ReadyReplicas++
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
