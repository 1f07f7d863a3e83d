// Package outputs defers to clean up on the context of a group before it waits
// for the group.
package outputs

import (
	"context"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Applier struct {
	client.Client
}

func (a *Applier) Apply(ctx context.Context, marker *corev1.ConfigMap, outputs []client.Object) error {
	group, inGroup := errgroup.WithContext(ctx)
	defer a.forget(inGroup, marker) // want "deadcleanup: Applier.forget .Writer.Delete, outputs.go:.*. runs on inGroup, which is cancelled at outputs.go:.*"
	for _, output := range outputs {
		group.Go(func() error { return a.Create(inGroup, output) })
	}
	return group.Wait()
}

func (a *Applier) forget(ctx context.Context, marker *corev1.ConfigMap) {
	if err := a.Delete(ctx, marker); err != nil {
		log.FromContext(ctx).Error(err, "The marker stays")
	}
}
