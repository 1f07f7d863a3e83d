// Package poller ends its loops by flags that another goroutine sets.
package poller

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// StoppedByAFlagUnderAMutex ends by a flag that another goroutine sets while it
// holds a lock.
type StoppedByAFlagUnderAMutex struct {
	mu      sync.Mutex
	stopped bool
	Poll    func()
}

func (p *StoppedByAFlagUnderAMutex) Start(ctx context.Context) error {
	defer context.AfterFunc(ctx, p.Stop)()
	for !p.isStopped() {
		p.Poll()
		time.Sleep(time.Second)
	}
	return nil
}

// Stop ends Start, soon.
func (p *StoppedByAFlagUnderAMutex) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
}

func (p *StoppedByAFlagUnderAMutex) isStopped() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

// StoppedByAnAtomicFlag ends by a flag that another goroutine sets.
type StoppedByAnAtomicFlag struct {
	stopped atomic.Bool
	Poll    func()
}

func (p *StoppedByAnAtomicFlag) Start(ctx context.Context) error {
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
