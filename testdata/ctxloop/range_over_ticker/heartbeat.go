// Package heartbeat ranges over tickers below Start. Stopping a ticker does not
// close its channel, so even the deferred or concurrent Stop ends nothing.
package heartbeat

import (
	"context"
	"time"
)

type Beat struct {
	Send func()
}

// Start is called by the manager, which waits for it to return.
func (b *Beat) Start(ctx context.Context) error {
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for range ticker.C { // want "ctxloop: .*never observes"
		b.Send()
	}
	return nil
}

type Stopped struct {
	Send func()
}

func (s *Stopped) Start(ctx context.Context) error {
	ticker := time.NewTicker(30 * time.Second)
	go func() {
		<-ctx.Done()
		ticker.Stop()
	}()
	for range ticker.C { // want "ctxloop: .*never observes"
		s.Send()
	}
	return nil
}

type Ticked struct {
	Send func()
}

func (t *Ticked) Start(ctx context.Context) error {
	for range time.Tick(time.Minute) { // want "ctxloop: .*never observes"
		t.Send()
	}
	return nil
}
