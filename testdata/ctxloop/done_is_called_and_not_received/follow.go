// Package follow calls Done and makes nothing of the channel.
package follow

import (
	"context"
	"time"
)

type Follower struct {
	Interval time.Duration
	Lines    func() (n int, err error)
}

func (f *Follower) Follow(ctx context.Context) error {
	defer ctx.Done()
	for { // want "ctxloop: .*never observes"
		if _, err := f.Lines(); err != nil {
			return err
		}
		time.Sleep(f.Interval)
	}
}
