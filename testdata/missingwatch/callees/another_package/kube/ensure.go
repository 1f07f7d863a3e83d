// Package kube writes objects of any kind.
package kube

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Ensure creates obj unless it is there already.
func Ensure(ctx context.Context, c client.Client, obj client.Object) error {
	return client.IgnoreAlreadyExists(c.Create(ctx, obj))
}
