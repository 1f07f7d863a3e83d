// Package poller ends by a flag that another goroutine sets while it holds a
// lock.
package poller

import (
	"context"
	"sync"
	"time"
)

type Poller struct {
	mu      sync.Mutex
	stopped bool
	Poll    func()
}

func (p *Poller) Start(ctx context.Context) error {
	defer context.AfterFunc(ctx, p.Stop)()
	for !p.isStopped() {
		p.Poll()
		time.Sleep(time.Second)
	}
	return nil
}

// Stop ends Start, soon.
func (p *Poller) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
}

func (p *Poller) isStopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}
