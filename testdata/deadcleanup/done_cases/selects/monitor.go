// Package monitor writes when it is told to stop, or leaves it.
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

// DoneCaseWrites marks the node when it is told to stop, on the context that
// has told it so.
type DoneCaseWrites struct {
	client.Client
	Probe func(node *corev1.Node) bool
}

func (m *DoneCaseWrites) Watch(ctx context.Context, node *corev1.Node) error {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			node.Spec.Unschedulable = false
			return m.Update(ctx, node) // want "deadcleanup: Writer.Update runs on ctx, which is done here ..*monitor.go:.*.; run it on context.WithoutCancel with a timeout"
		case <-ticker.C:
			if !m.Probe(node) {
				node.Spec.Unschedulable = true
				if err := m.Update(ctx, node); err != nil {
					return err
				}
			}
		}
	}
}

// DoneCaseDetaches marks the node on a context of its own when it is told to
// stop.
type DoneCaseDetaches struct {
	client.Client
}

func (m *DoneCaseDetaches) Watch(ctx context.Context, node *corev1.Node, beats <-chan time.Time) error {
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

// DoneCaseOnlyTells logs, counts and records that it is told to stop: nothing
// of that leaves the process on its context.
type DoneCaseOnlyTells struct {
	client.Client
	Recorder record.EventRecorder
	Stopped  prometheus.Counter
	Tracer   trace.Tracer
}

func (m *DoneCaseOnlyTells) Watch(ctx context.Context, node *corev1.Node, beats <-chan time.Time) error {
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

// DoneCaseSendsWhatOthersWrite hands what is left to another goroutine, which
// has its own context.
type DoneCaseSendsWhatOthersWrite struct {
	client.Client
	Left chan *corev1.ConfigMap
}

func (q *DoneCaseSendsWhatOthersWrite) Run(ctx context.Context, item *corev1.ConfigMap, beats <-chan time.Time) {
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

func (q *DoneCaseSendsWhatOthersWrite) Save(ctx context.Context) error {
	for item := range q.Left {
		if err := q.Update(ctx, item); err != nil {
			return err
		}
	}
	return nil
}

// CachedReadInDoneCase reads from a cache, which ignores the context.
func CachedReadInDoneCase(ctx context.Context, reader client.Reader, node *corev1.Node) (string, error) {
	<-ctx.Done()
	err := reader.Get(ctx, client.ObjectKeyFromObject(node), node)
	return node.Labels["zone"], err
}

// WriteAfterASelectWithADoneCase writes after a select that either of two cases
// may have ended.
type WriteAfterASelectWithADoneCase struct {
	client.Client
	Flush chan struct{}
}

func (q *WriteAfterASelectWithADoneCase) Run(ctx context.Context, item *corev1.ConfigMap) error {
	select {
	case <-ctx.Done():
	case <-q.Flush:
	}
	return q.Update(ctx, item)
}
