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
