// Package queue writes after a select that either of two cases may have ended.
package queue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Queue struct {
	client.Client
	Flush chan struct{}
}

func (q *Queue) Run(ctx context.Context, item *corev1.ConfigMap) error {
	select {
	case <-ctx.Done():
	case <-q.Flush:
	}
	return q.Update(ctx, item)
}
