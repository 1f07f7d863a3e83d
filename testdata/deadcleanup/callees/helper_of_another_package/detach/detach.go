// Package detach cleans up on contexts of its own.
package detach

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Context(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}

func Remove(ctx context.Context, c client.Client, object client.Object) error {
	ctx, cancel := Context(ctx, time.Minute)
	defer cancel()
	return c.Delete(ctx, object)
}
