// Package cloud makes disks. It knows nothing of Kubernetes.
package cloud

import (
	"context"
	"time"
)

// Disks are the disks of an account.
type Disks struct{ ready map[string]bool }

// Await returns when the disk is there.
func (d *Disks) Await(name string) {
	for !d.ready[name] {
		time.Sleep(time.Second)
	}
}

// Create returns when the disk is there, or the context is done.
func (d *Disks) Create(ctx context.Context, name string) error {
	for !d.ready[name] {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return nil
}
