// Package session defers its clean-up only when it is told to stop.
package session

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Sessions struct {
	client.Client
	Flush func()
}

func (s *Sessions) Serve(ctx context.Context, holder *corev1.ConfigMap, beats <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			defer s.Delete(ctx, holder) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
			s.Flush()
			return ctx.Err()
		case <-beats:
			if err := s.Update(ctx, holder); err != nil {
				return err
			}
		}
	}
}
