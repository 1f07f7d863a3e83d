// Package monitor marks the node on a context of its own when it is told to stop.
package monitor

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Monitor struct {
	client.Client
}

func (m *Monitor) Watch(ctx context.Context, node *corev1.Node, beats <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			cleanup, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			return m.Delete(cleanup, node)
		case <-beats:
			if err := m.Update(ctx, node); err != nil {
				return err
			}
		}
	}
}
