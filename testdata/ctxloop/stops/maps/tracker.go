// Package tracker watches over things in the background as long as they are in
// a map.
package tracker

import (
	"context"
	"sync"
	"time"
)

// StoppedByRemovalFromAMap watches over things in the background until they are
// taken out of the map of those that are watched over.
type StoppedByRemovalFromAMap struct {
	mu      sync.Mutex
	tracked map[string]bool
	Refresh func(name string)
}

func (t *StoppedByRemovalFromAMap) Track(ctx context.Context, name string) error {
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
func (t *StoppedByRemovalFromAMap) Forget(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tracked, name)
}

func (t *StoppedByRemovalFromAMap) refresh(name string) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for range ticker.C {
		if _, ok := t.tracked[name]; !ok {
			return
		}
		t.Refresh(name)
	}
}

// MapNobodyRemovesFromStopsNothing watches over things in the background as
// long as they are in a map, out of which nobody ever takes them.
type MapNobodyRemovesFromStopsNothing struct {
	mu      sync.Mutex
	tracked map[string]bool
	Refresh func(name string)
}

func (t *MapNobodyRemovesFromStopsNothing) Track(ctx context.Context, name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tracked[name] {
		return ctx.Err()
	}
	t.tracked[name] = true
	go t.refresh(name)
	return nil
}

func (t *MapNobodyRemovesFromStopsNothing) refresh(name string) {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for range ticker.C { // want "ctxloop: .*never observes"
		if _, ok := t.tracked[name]; !ok {
			return
		}
		t.Refresh(name)
	}
}
