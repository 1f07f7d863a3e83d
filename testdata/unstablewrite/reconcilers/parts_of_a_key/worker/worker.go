// Package worker runs a workqueue for a handler of another package.
package worker

import (
	"context"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
	"k8s.io/client-go/util/workqueue"
)

// Handler is called with the parts of each key.
type Handler interface {
	Sync(ctx context.Context, namespace, name string) error
}

// Worker calls a handler.
type Worker struct {
	Queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
	Handler Handler
}

// Run handles keys until the queue is shut down.
func (w *Worker) Run(ctx context.Context) {
	for {
		item, shutdown := w.Queue.Get()
		if shutdown {
			return
		}
		if err := w.sync(ctx, item); err != nil {
			w.Queue.AddRateLimited(item)
		}
		w.Queue.Done(item)
	}
}

func (w *Worker) sync(ctx context.Context, key cache.ObjectName) error {
	namespace, name := key.Namespace, key.Name
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { return w.Handler.Sync(ctx, namespace, name) })
}
