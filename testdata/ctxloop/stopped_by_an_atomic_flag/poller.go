// Package poller ends by a flag that another goroutine sets.
package poller

import (
	"context"
	"sync/atomic"
	"time"
)

type Poller struct {
	stopped atomic.Bool
	Poll    func()
}

func (p *Poller) Start(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		p.stopped.Store(true)
	}()
	for !p.stopped.Load() {
		p.Poll()
		time.Sleep(5 * time.Second)
	}
	return nil
}
