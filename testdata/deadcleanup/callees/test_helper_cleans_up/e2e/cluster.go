// Package e2e serves tests, which end anyway.
package e2e

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Cluster(ctx context.Context, c client.Client, namespace *corev1.Namespace) error {
	if err := c.Create(ctx, namespace); err != nil {
		return err
	}
	<-ctx.Done()
	return c.Delete(ctx, namespace)
}
