// Package events selects on a ticker and on work, and not on the end of its
// context.
package events

import (
	"context"
	"time"
)

type Flusher struct {
	Events <-chan string
	Store  func(batch []string)
}

func (f *Flusher) Start(ctx context.Context) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	var batch []string
	for { // want "ctxloop: .*never observes"
		select {
		case e := <-f.Events:
			batch = append(batch, e)
		case <-ticker.C:
			f.Store(batch)
			batch = nil
		}
	}
}
