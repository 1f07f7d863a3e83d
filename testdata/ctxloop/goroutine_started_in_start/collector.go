// Package collector starts its loop in a goroutine and then waits for the end
// of the context itself: Start returns, the goroutine stays.
package collector

import (
	"context"
	"time"
)

type Collector struct {
	Interval time.Duration
	Collect  func()
}

func (c *Collector) Start(ctx context.Context) error {
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
