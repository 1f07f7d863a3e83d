// Package lock gives its lock back once the manager stops, on the manager's
// context.
package lock

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Lock struct {
	client.Client
	Holder *corev1.ConfigMap
}

func (l *Lock) Start(ctx context.Context) error {
	if err := l.Create(ctx, l.Holder); err != nil {
		return err
	}
	<-ctx.Done()
	return l.Delete(ctx, l.Holder) // want "deadcleanup: Writer.Delete runs on ctx, which is done here .lock.go:.*."
}
