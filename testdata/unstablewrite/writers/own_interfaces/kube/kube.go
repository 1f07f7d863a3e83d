// Package kube has the operator's own view of a client.
package kube

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Updater is the part of a client that updates. Tests implement it, too.
type Updater interface {
	Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error
}

// Notifier has a method of the same name that is not a client's.
type Notifier interface {
	Update(ctx context.Context, obj client.Object) error
}

// Patcher is what Apply needs of a client.
type Patcher interface {
	Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error
}

// Apply applies an object through any client that can patch.
func Apply[C Patcher, T client.Object](ctx context.Context, c C, obj T) error {
	return c.Patch(ctx, obj, client.Apply, client.FieldOwner("thing-operator"), client.ForceOwnership)
}
