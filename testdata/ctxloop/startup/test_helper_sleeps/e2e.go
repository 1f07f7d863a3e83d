// Package e2e helps end-to-end tests, which end with their own deadline and
// have no reconciliation to be cancelled.
package e2e

import (
	"testing"
	"time"
)

// Eventually fails the test unless ok says yes within a minute.
func Eventually(t testing.TB, ok func() bool) {
	t.Helper()
	for range 60 {
		if ok() {
			return
		}
		time.Sleep(time.Second)
	}
	t.Fatal("not in time")
}
