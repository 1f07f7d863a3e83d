// Package campaign stops its workers by cancelling their context, and then tells
// the cluster on the same.
package campaign

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Campaign struct {
	client.Client
	Work func(ctx context.Context)
}

func (c *Campaign) Run(ctx context.Context, election *corev1.ConfigMap) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() { c.Work(ctx) })
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(election), election); err != nil {
		cancel()
		workers.Wait()
		return err
	}
	cancel()
	workers.Wait()
	delete(election.Data, "leader")
	return c.Update(ctx, election) // want "deadcleanup: Writer.Update runs on ctx, which is cancelled at campaign.go:.*"
}
