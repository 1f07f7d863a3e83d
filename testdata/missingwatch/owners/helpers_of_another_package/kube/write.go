// Package kube writes objects of any kind.
package kube

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Write creates a copy of obj, or replaces what is there.
func Write(ctx context.Context, c client.Client, obj client.Object) error {
	desired := obj.DeepCopyObject().(client.Object)
	err := c.Create(ctx, desired)
	if apierrors.IsAlreadyExists(err) {
		return c.Update(ctx, desired)
	}
	return err
}

// WriteAsItIs creates obj, or replaces what is there.
func WriteAsItIs(ctx context.Context, c client.Client, obj client.Object) error {
	err := c.Create(ctx, obj)
	if apierrors.IsAlreadyExists(err) {
		return c.Update(ctx, obj)
	}
	return err
}
