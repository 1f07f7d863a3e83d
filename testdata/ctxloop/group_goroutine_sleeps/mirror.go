// Package mirror runs its loops in the goroutines of a group, which waits for
// all of them.
package mirror

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

type Mirror struct {
	Sources []string
	Copy    func(source string) error
}

func (m *Mirror) Start(ctx context.Context) error {
	g, _ := errgroup.WithContext(ctx)
	for _, source := range m.Sources {
		g.Go(func() error {
			for { // want "ctxloop: .*never observes"
				if err := m.Copy(source); err != nil {
					return err
				}
				time.Sleep(time.Minute)
			}
		})
	}
	return g.Wait()
}
