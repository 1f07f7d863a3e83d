// Package base is what all reconcilers of the operator have in common.
package base

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Reconciler is meant to be embedded.
type Reconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Ensure makes owner the controller of obj and creates obj where it is missing.
func (r *Reconciler) Ensure(ctx context.Context, owner, obj client.Object) error {
	if err := controllerutil.SetControllerReference(owner, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}
