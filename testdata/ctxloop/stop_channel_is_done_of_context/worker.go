// Package worker speaks of stop channels, which are the Done channel of its
// context or closed when that is.
package worker

import (
	"context"
	"time"
)

type Worker struct {
	Work func()
}

func (w *Worker) Start(ctx context.Context) error {
	stopCh := ctx.Done()
	for {
		select {
		case <-stopCh:
			return nil
		case <-time.After(time.Minute):
			w.Work()
		}
	}
}

func (w *Worker) Run(ctx context.Context) {
	w.run(ctx.Done())
}

func (w *Worker) run(stopCh <-chan struct{}) {
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-stopCh:
			return
		case <-ticker.C:
			w.Work()
		}
	}
}

func (w *Worker) Follow(ctx context.Context) {
	stop := make(chan struct{})
	defer context.AfterFunc(ctx, func() { close(stop) })()
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
			w.Work()
		}
	}
}
