// Package drain moves data off nodes.
package drain

import (
	"context"
	"errors"
	"time"
)

// Drainer asks a cluster for its shards.
type Drainer struct {
	Shards func(node string) (int, error)
}

// Empty returns when no shards are left on the node, or when ctx is done.
func (d Drainer) Empty(ctx context.Context, node string) error {
	for range 999 {
		n, err := d.Shards(node)
		if err == nil && n == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Second):
		}
	}
	return errors.New("shards are left")
}

// SleepingDrainer asks a cluster for its shards.
type SleepingDrainer struct {
	Shards func(node string) (int, error)
}

// Empty returns when no shards are left on the node.
func (d SleepingDrainer) Empty(node string) error {
	for i := 0; i < 999; i++ {
		n, err := d.Shards(node)
		if err == nil && n == 0 {
			return nil
		}
		time.Sleep(10 * time.Second)
	}
	return errors.New("shards are left")
}
