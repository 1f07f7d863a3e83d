// Package snapshot deletes snapshots.
package snapshot

import (
	"errors"
	"time"
)

// A Snapshot is there until it is deleted.
type Snapshot interface {
	Delete()
	Exists() bool
}

// With calls f, and deletes the snapshot behind it.
func With(s Snapshot, f func() error) error {
	defer Delete(s)
	return f()
}

// Delete returns when the snapshot is deleted.
func Delete(s Snapshot) error {
	s.Delete()
	for range 60 {
		if !s.Exists() {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("the snapshot is still there")
}
