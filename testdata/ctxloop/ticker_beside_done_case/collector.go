// Package collector leaves its loops when the context is done, by return and by
// a labelled break. That Start returns no error then is how runnables end.
package collector

import (
	"context"
	"time"
)

type Collector struct {
	Interval time.Duration
	Collect  func(ctx context.Context)
}

func (c *Collector) Start(ctx context.Context) error {
	ticker := time.NewTicker(c.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			c.Collect(ctx)
		}
	}
}

type Flusher struct {
	Events <-chan string
	Flush  func(batch []string)
}

func (f *Flusher) Start(ctx context.Context) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	var batch []string
loop:
	for {
		select {
		case e := <-f.Events:
			batch = append(batch, e)
		case <-ticker.C:
			f.Flush(batch)
			batch = batch[:0]
		case <-ctx.Done():
			break loop
		}
	}
	f.Flush(batch)
	return nil
}
