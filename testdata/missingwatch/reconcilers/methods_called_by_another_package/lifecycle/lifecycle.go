// Package lifecycle reads an object and calls what keeps or removes it.
package lifecycle

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Keeper keeps what belongs to an object.
type Keeper interface {
	Keep(ctx context.Context, obj client.Object) error
	Remove(ctx context.Context, obj client.Object) error
}

// Run reads the object and calls the Keeper.
func Run(ctx context.Context, c client.Client, req ctrl.Request, obj client.Object, k Keeper) (ctrl.Result, error) {
	if err := c.Get(ctx, req.NamespacedName, obj); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if obj.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, k.Remove(ctx, obj)
	}
	return ctrl.Result{}, keep(ctx, k, obj)
}

func keep(ctx context.Context, k Keeper, obj client.Object) error { return k.Keep(ctx, obj) }
