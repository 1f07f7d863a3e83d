// Package worker runs a workqueue for controllers that it does not know.
package worker

import (
	"context"
	"errors"

	"k8s.io/client-go/util/workqueue"
)

// Syncer is called with each key.
type Syncer interface {
	Sync(ctx context.Context, key string) error
	Stopped(ctx context.Context, key string) error
}

// Worker calls a function, and perhaps a syncer, with the keys of its queue.
type Worker struct {
	queue   workqueue.TypedRateLimitingInterface[string]
	syncer  Syncer
	handler func(ctx context.Context, key string) error
}

// New returns a worker that calls s.
func New(s Syncer) *Worker {
	return &Worker{queue: newQueue(), syncer: s}
}

// Func returns a worker that calls f.
func Func(f func(ctx context.Context, key string) error) *Worker {
	return &Worker{queue: newQueue(), handler: f}
}

func newQueue() workqueue.TypedRateLimitingInterface[string] {
	return workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
}

// Run handles keys until the queue is shut down.
func (w *Worker) Run(ctx context.Context) error {
	for w.next(ctx) {
	}
	if w.syncer == nil {
		return nil
	}
	return w.syncer.Stopped(ctx, "worker")
}

func (w *Worker) next(ctx context.Context) bool {
	key, quit := w.queue.Get()
	if quit {
		return false
	}
	defer w.queue.Done(key)
	err := errors.New("nothing to call")
	switch {
	case w.handler != nil:
		err = w.handler(ctx, key)
	case w.syncer != nil:
		err = w.syncer.Sync(ctx, key)
	}
	if err != nil {
		w.queue.AddRateLimited(key)
		return true
	}
	w.queue.Forget(key)
	return true
}
