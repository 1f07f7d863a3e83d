package testcluster

import (
	"testing"
	"time"
)

// Eventually waits until what the cluster is to do has happened, that is until
// check returns nil. If that takes longer than limit the test fails with the
// last reason. Limits are generous: they tell slow from never.
func Eventually(t testing.TB, limit time.Duration, check func() error) {
	t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %v", limit, err)
		}
	}
}
