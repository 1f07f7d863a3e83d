// Package rollout takes a rollout back through a helper of another package.
package rollout

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/deadcleanup/helper_of_another_package_writes_on_done_context/marks"
)

func Run(ctx context.Context, m *marks.Marks, node string, steps <-chan string) error {
	for {
		select {
		case <-steps:
		case <-ctx.Done():
			return m.Remove(ctx, node) // want "deadcleanup: Marks.Remove .NodeInterface.Patch, marks.go:.*. runs on ctx, which is done here"
		}
	}
}
