// Package queue returns when its context is done, so that only what comes on the
// other channel leads to a write.
package queue

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Queue struct {
	client.Client
	Items chan *corev1.ConfigMap
}

func (q *Queue) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case item := <-q.Items:
			if err := q.Update(ctx, item); err != nil && ctx.Err() != nil {
				return err
			}
		}
	}
}
