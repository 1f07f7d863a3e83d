// Package tracker watches over things in the background until they are taken out
// of the map of those that are watched over.
package tracker

import (
	"context"
	"sync"
	"time"
)

type Tracker struct {
	mu      sync.Mutex
	tracked map[string]bool
	Refresh func(name string)
}

func (t *Tracker) Track(ctx context.Context, name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tracked[name] {
		return ctx.Err()
	}
	t.tracked[name] = true
	go t.refresh(name)
	return nil
}

// Forget ends what Track has started, soon.
func (t *Tracker) Forget(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tracked, name)
}

func (t *Tracker) refresh(name string) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for range ticker.C {
		if _, ok := t.tracked[name]; !ok {
			return
		}
		t.Refresh(name)
	}
}
