// Package queue hands what is left to another goroutine, which has its own
// context.
package queue

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Queue struct {
	client.Client
	Left chan *corev1.ConfigMap
}

func (q *Queue) Run(ctx context.Context, item *corev1.ConfigMap, beats <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			q.Left <- item
			return
		case <-beats:
			_ = q.Update(ctx, item)
		}
	}
}

func (q *Queue) Save(ctx context.Context) error {
	for item := range q.Left {
		if err := q.Update(ctx, item); err != nil {
			return err
		}
	}
	return nil
}
