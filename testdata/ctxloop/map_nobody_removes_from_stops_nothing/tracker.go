// Package tracker watches over things in the background as long as they are in a
// map, out of which nobody ever takes them.
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

func (t *Tracker) refresh(name string) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for range ticker.C { // want "ctxloop: .*never observes"
		if _, ok := t.tracked[name]; !ok {
			return
		}
		t.Refresh(name)
	}
}
