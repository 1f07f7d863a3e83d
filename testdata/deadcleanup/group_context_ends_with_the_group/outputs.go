// Package outputs goes on with its own context after it has waited for a group.
package outputs

import (
	"context"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Applier struct {
	client.Client
}

func (a *Applier) Apply(ctx context.Context, marker *corev1.ConfigMap, outputs []client.Object) error {
	group, inGroup := errgroup.WithContext(ctx)
	for _, output := range outputs {
		group.Go(func() error { return a.Create(inGroup, output) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return a.Delete(ctx, marker)
}
