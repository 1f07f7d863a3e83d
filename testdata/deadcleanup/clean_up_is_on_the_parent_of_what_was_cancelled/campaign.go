// Package campaign cancels the context of its workers and goes on with its own.
package campaign

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Campaign struct {
	client.Client
	Work func(ctx context.Context)
}

func (c *Campaign) Run(ctx context.Context, election *corev1.ConfigMap) error {
	working, cancel := context.WithCancel(ctx)
	defer c.forget(ctx, election)
	defer cancel()
	go c.Work(working)
	cancel()
	return c.Update(ctx, election)
}

func (c *Campaign) forget(ctx context.Context, election *corev1.ConfigMap) {
	_ = c.Delete(ctx, election)
}
