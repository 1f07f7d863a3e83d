// Package watcher gets the Done channel of its context and asks it once a
// round, between sleeps of half a minute.
package watcher

import (
	"context"
	"time"
)

type Watcher struct {
	Watch func() error
}

// Start watches until ctx is done.
func (w *Watcher) Start(ctx context.Context) error {
	w.run(ctx.Done())
	return nil
}

func (w *Watcher) run(stopCh <-chan struct{}) {
	for { // want "ctxloop: .*only after"
		select {
		case <-stopCh:
			return
		default:
		}
		if w.Watch() != nil {
			time.Sleep(30 * time.Second)
		}
	}
}
