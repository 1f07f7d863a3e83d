// Package watcher has goroutines with lifetimes of their own, each ended by a
// channel that its owner closes.
package watcher

import (
	"context"
	"sync"
	"time"
)

type Watcher struct {
	stop     chan struct{}
	stopOnce sync.Once
	poll     func()
}

func New(poll func()) *Watcher {
	w := &Watcher{stop: make(chan struct{}), poll: poll}
	go w.run()
	return w
}

func (w *Watcher) run() {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
			w.poll()
		}
	}
}

// Close ends the watcher.
func (w *Watcher) Close() {
	w.stopOnce.Do(func() { close(w.stop) })
}

type Watchers struct {
	mu   sync.Mutex
	byID map[string]*Watcher
}

// Ensure is called from Reconcile, whose end is not the watcher's.
func (w *Watchers) Ensure(ctx context.Context, id string, poll func()) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.byID[id] == nil {
		w.byID[id] = New(poll)
	}
	return nil
}
