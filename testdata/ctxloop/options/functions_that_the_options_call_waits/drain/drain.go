// Package drain waits through interfaces whose implementations are elsewhere;
// that they wait only the options know.
package drain

import (
	"context"
	"time"
)

type Pacer interface {
	Pause(d time.Duration)
}

type Retrier interface {
	Do(f func() error) error
	DoContext(ctx context.Context, f func() error) error
}

type Drainer struct {
	Pacer   Pacer
	Retrier Retrier
	Empty   func() bool
	Evict   func() error
}

func (d *Drainer) Drain(ctx context.Context) {
	for !d.Empty() { // want "ctxloop: loop waiting with Pacer.Pause never observes ctx"
		d.Pacer.Pause(10 * time.Second)
	}
}

func (d *Drainer) DrainPolitely(ctx context.Context) {
	for ctx.Err() == nil && !d.Empty() {
		d.Pacer.Pause(time.Second)
	}
}

func (d *Drainer) EvictAll(ctx context.Context) error {
	if err := d.Retrier.Do(d.Evict); err != nil { // want "ctxloop: Retrier.Do never observes ctx"
		return err
	}
	return d.Retrier.DoContext(ctx, d.Evict)
}

// EvictBlindly is called with a context in another package.
func (d *Drainer) EvictBlindly() error {
	return d.Retrier.Do(d.Evict)
}
