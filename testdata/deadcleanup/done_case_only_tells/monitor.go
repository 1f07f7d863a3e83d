// Package monitor logs, counts and records that it is told to stop: nothing of
// that leaves the process on its context.
package monitor

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Monitor struct {
	client.Client
	Recorder record.EventRecorder
	Stopped  prometheus.Counter
	Tracer   trace.Tracer
}

func (m *Monitor) Watch(ctx context.Context, node *corev1.Node, beats <-chan time.Time) error {
	ctx, span := m.Tracer.Start(ctx, "watch")
	defer span.End()
	for {
		select {
		case <-ctx.Done():
			slog.InfoContext(ctx, "stopped")
			log.FromContext(ctx).Info("Stopped")
			m.Recorder.Event(node, corev1.EventTypeNormal, "Stopped", "no longer watched")
			m.Stopped.Inc()
			return ctx.Err()
		case <-beats:
			if err := m.Update(ctx, node); err != nil {
				return err
			}
		}
	}
}
