// Package watch returns nil when its context is done, and also after errors that
// a new watch repairs. Neither is what it waited for.
package watch

import (
	"context"
	"errors"
	"time"
)

var errExpired = errors.New("expired")

type Watcher struct {
	Next func() error
}

// Watch returns when the watch has to begin anew, or not at all.
func (w *Watcher) Watch(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
		if err := w.Next(); err != nil {
			if errors.Is(err, errExpired) {
				return nil
			}
			return err
		}
	}
}
