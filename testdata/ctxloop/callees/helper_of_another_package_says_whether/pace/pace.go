// Package pace paces loops.
package pace

import (
	"context"
	"time"
)

// Sleep sleeps, and reports whether to go on: the context is not done.
func Sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
