// Package steps holds what a reconciliation does, in order.
package steps

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/packages_below/drain"
)

// Steps are the steps of one cluster.
type Steps struct {
	Drain drain.Drainer
}

// ScaleIn takes the node's data away.
func (s *Steps) ScaleIn(ctx context.Context, node string) error {
	return s.Drain.Empty(ctx, node)
}

// SleepingSteps are the steps of one cluster.
type SleepingSteps struct {
	Drain drain.SleepingDrainer
}

// ScaleIn takes the node's data away.
func (s *SleepingSteps) ScaleIn(node string) error {
	return s.Drain.Empty(node)
}
