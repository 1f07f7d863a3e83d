// Package steps keeps its functions in package-level variables, and they listen
// to the context that they get.
package steps

import (
	"context"
	"os"
	"time"
)

type step struct {
	name string
	run  func(ctx context.Context) error
}

var steps = []step{
	{name: "socket", run: func(ctx context.Context) error {
		ticker := time.NewTicker(3 * time.Second)
		defer ticker.Stop()
		for {
			if _, err := os.Stat("/run/plugin.sock"); err == nil {
				return nil
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-ticker.C:
			}
		}
	}},
}

// Run runs the steps.
func Run(ctx context.Context) error {
	for _, s := range steps {
		if err := s.run(ctx); err != nil {
			return err
		}
	}
	return nil
}
