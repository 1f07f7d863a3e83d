// Package session ends its session from a goroutine that waits for the context.
package session

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Sessions struct {
	client.Client
}

func (s *Sessions) Open(ctx context.Context, holder *corev1.ConfigMap) error {
	if err := s.Create(ctx, holder); err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		if err := s.Delete(ctx, holder); err != nil { // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
			log.Log.Error(err, "The session stays open")
		}
	}()
	return nil
}
