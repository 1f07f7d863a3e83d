// Package drain calls functions through interfaces whose implementations are
// elsewhere. Whether they wait is not known.
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
}

type Drainer struct {
	Pacer   Pacer
	Retrier Retrier
	Empty   func() bool
	Evict   func() error
}

func (d *Drainer) Drain(ctx context.Context) error {
	for !d.Empty() {
		d.Pacer.Pause(10 * time.Second)
	}
	return d.Retrier.Do(d.Evict)
}
