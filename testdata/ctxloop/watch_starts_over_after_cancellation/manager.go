// Package manager watches again whenever a watch fails, also when it fails
// because there is no more context to watch with.
package manager

import (
	"context"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Manager struct {
	Client client.WithWatch
	Handle func(ctx context.Context, secret *corev1.Secret)
}

// Run handles changes of secrets.
func (m *Manager) Run(ctx context.Context) {
	for { // want "ctxloop: .*never observes"
		if err := m.watch(ctx); err != nil {
			log.Printf("watch secrets: %v", err)
			time.Sleep(5 * time.Second)
		}
	}
}

func (m *Manager) watch(ctx context.Context) error {
	w, err := m.Client.Watch(ctx, &corev1.SecretList{})
	if err != nil {
		return err
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		if secret, ok := event.Object.(*corev1.Secret); ok {
			m.Handle(ctx, secret)
		}
	}
	return nil
}
