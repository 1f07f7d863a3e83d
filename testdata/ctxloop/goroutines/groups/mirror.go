// Package mirror runs its loops in the goroutines of a group.
package mirror

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// GroupGoroutineObservesContext runs its loops in the goroutines of a group,
// each of which ends with the group's context.
type GroupGoroutineObservesContext struct {
	Sources []string
	Copy    func(ctx context.Context, source string) error
}

func (m *GroupGoroutineObservesContext) Start(ctx context.Context) error {
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

// GroupGoroutineSleeps runs its loops in the goroutines of a group, which waits
// for all of them.
type GroupGoroutineSleeps struct {
	Sources []string
	Copy    func(source string) error
}

func (m *GroupGoroutineSleeps) Start(ctx context.Context) error {
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
