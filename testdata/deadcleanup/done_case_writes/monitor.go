// Package monitor marks the node when it is told to stop, on the context that
// has told it so.
package monitor

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Monitor struct {
	client.Client
	Probe func(node *corev1.Node) bool
}

func (m *Monitor) Watch(ctx context.Context, node *corev1.Node) error {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			node.Spec.Unschedulable = false
			return m.Update(ctx, node) // want "deadcleanup: Writer.Update runs on ctx, which is done here .monitor.go:.*.; run it on context.WithoutCancel with a timeout"
		case <-ticker.C:
			if !m.Probe(node) {
				node.Spec.Unschedulable = true
				if err := m.Update(ctx, node); err != nil {
					return err
				}
			}
		}
	}
}
