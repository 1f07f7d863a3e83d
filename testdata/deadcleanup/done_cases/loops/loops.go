// Package loops leaves its loop when it is told to stop, and then writes.
package loops

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// DoneReturnsBeforeTheWrite returns when its context is done, so that only what
// comes on the other channel leads to a write.
type DoneReturnsBeforeTheWrite struct {
	client.Client
	Items chan *corev1.ConfigMap
}

func (q *DoneReturnsBeforeTheWrite) Run(ctx context.Context) error {
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

// LabelledBreakLeavesForTheWrite breaks out of its loop when it is told to
// stop, which is the only way out, and then writes down how far it has come.
type LabelledBreakLeavesForTheWrite struct {
	client.Client
	Items chan string
}

func (q *LabelledBreakLeavesForTheWrite) Drain(ctx context.Context, progress *corev1.ConfigMap) {
	last := ""
loop:
	for {
		select {
		case item := <-q.Items:
			last = item
		case <-ctx.Done():
			break loop
		}
	}
	progress.Data["last"] = last
	if err := q.Update(ctx, progress); err != nil { // want "deadcleanup: Writer.Update runs on ctx, which is done here"
		log.Log.Error(err, "Progress is lost")
	}
}

// LoopEndsWithItsContextAndThenWrites renews until its context is done, and
// then gives up what it holds on that context.
type LoopEndsWithItsContextAndThenWrites struct {
	client.Client
}

func (l *LoopEndsWithItsContextAndThenWrites) Hold(ctx context.Context, holder *corev1.ConfigMap) error {
	for ctx.Err() == nil {
		if err := l.Patch(ctx, holder, client.Merge); err != nil {
			log.FromContext(ctx).Error(err, "Not renewed")
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	holder.Data = nil
	return l.Update(ctx, holder) // want "deadcleanup: Writer.Update runs on ctx, which is done here"
}

// RunnableWaitsForItsEndAndWrites gives its lock back once the manager stops,
// on the manager's context.
type RunnableWaitsForItsEndAndWrites struct {
	client.Client
	Holder *corev1.ConfigMap
}

func (l *RunnableWaitsForItsEndAndWrites) Start(ctx context.Context) error {
	if err := l.Create(ctx, l.Holder); err != nil {
		return err
	}
	<-ctx.Done()
	return l.Delete(ctx, l.Holder) // want "deadcleanup: Writer.Delete runs on ctx, which is done here ..*loops.go:.*."
}
