// Package start starts goroutines in Start and in init.
package start

import (
	"context"
	"sync"
	"time"
)

var connections = struct {
	sync.Mutex
	idle map[string]time.Time
}{idle: make(map[string]time.Time)}

func init() {
	go func() {
		for {
			time.Sleep(time.Minute)
			sweep()
		}
	}()
}

func sweep() {
	connections.Lock()
	defer connections.Unlock()
	for address, since := range connections.idle {
		if time.Since(since) > time.Hour {
			delete(connections.idle, address)
		}
	}
}

// GoroutineStartedInInit sweeps its connections for as long as the process
// lives. No context exists when that goroutine starts, and none reaches it.
//
// It marks the address as used.
func GoroutineStartedInInit(ctx context.Context, address string) error {
	connections.Lock()
	defer connections.Unlock()
	connections.idle[address] = time.Now()
	return ctx.Err()
}

// GoroutineStartedInStart starts its loop in a goroutine and then waits for the
// end of the context itself: Start returns, the goroutine stays.
type GoroutineStartedInStart struct {
	Interval time.Duration
	Collect  func()
}

func (c *GoroutineStartedInStart) Start(ctx context.Context) error {
	go func() {
		for { // want "ctxloop: .*never observes"
			c.Collect()
			time.Sleep(c.Interval)
		}
	}()
	<-ctx.Done()
	return nil
}

type Pool struct {
	Workers int
	Step    func(worker int)
}

func (p *Pool) Start(ctx context.Context) error {
	for i := range p.Workers {
		go p.work(i)
	}
	<-ctx.Done()
	return nil
}

func (p *Pool) work(i int) {
	for { // want "ctxloop: .*never observes"
		p.Step(i)
		time.Sleep(time.Minute)
	}
}
