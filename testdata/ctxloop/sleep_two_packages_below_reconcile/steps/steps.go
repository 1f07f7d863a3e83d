// Package steps holds what a reconciliation does, in order.
package steps

import "github.com/operatorvet/operatorvet/testdata/ctxloop/sleep_two_packages_below_reconcile/drain"

// Steps are the steps of one cluster.
type Steps struct {
	Drain drain.Drainer
}

// ScaleIn takes the node's data away.
func (s *Steps) ScaleIn(node string) error {
	return s.Drain.Empty(node)
}
