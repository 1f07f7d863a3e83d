// Package renewal receives times that another goroutine computes. They come
// when that has something to say, not when time has passed.
package renewal

import (
	"context"
	"time"
)

type Renewal struct {
	next   chan time.Time
	due    chan struct{}
	notify func(time.Time)
}

func (r *Renewal) Start(ctx context.Context) error {
	var at time.Time
	for {
		if done := func() bool {
			select {
			case <-ctx.Done():
				return true
			case at = <-r.next:
				return false
			case <-r.due:
			}
			r.notify(at)
			return false
		}(); done {
			return nil
		}
	}
}

func (r *Renewal) follow(_ context.Context) {
	for {
		at := <-r.next
		if at.IsZero() {
			return
		}
		r.notify(at)
	}
}
