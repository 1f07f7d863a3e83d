// Package mirror runs its loops in the goroutines of a group, each of which
// ends with the group's context.
package mirror

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

type Mirror struct {
	Sources []string
	Copy    func(ctx context.Context, source string) error
}

func (m *Mirror) Start(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, source := range m.Sources {
		g.Go(func() error {
			for {
				if err := m.Copy(ctx, source); err != nil {
					return err
				}
				select {
				case <-ctx.Done():
					return nil
				case <-time.After(time.Minute):
				}
			}
		})
	}
	return g.Wait()
}
