// Package configs writes objects for the handlers.
package configs

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Syncer writes one object.
type Syncer interface {
	Sync(ctx context.Context) error
}

// Factory makes syncers.
type Factory interface {
	New(c client.Client, config *corev1.ConfigMap) Syncer
}

// FactoryFunc is a factory by a function.
type FactoryFunc func(c client.Client, config *corev1.ConfigMap) Syncer

// New calls the function.
func (f FactoryFunc) New(c client.Client, config *corev1.ConfigMap) Syncer { return f(c, config) }

type syncer struct {
	client.Client
	config *corev1.ConfigMap
}

// NewSyncer is a factory.
func NewSyncer(c client.Client, config *corev1.ConfigMap) Syncer { return &syncer{c, config} }

// Sync writes the time of each call.
func (s *syncer) Sync(ctx context.Context) error {
	s.config.Data = map[string]string{"synced": time.Now().String()}
	return s.Update(ctx, s.config)
}

// Report tells the time of each call. What fills the queue may compare all but the status.
func Report(ctx context.Context, c client.Client, pod *corev1.Pod) error {
	now := metav1.Now()
	pod.Status.StartTime = &now
	return c.Status().Update(ctx, pod)
}
