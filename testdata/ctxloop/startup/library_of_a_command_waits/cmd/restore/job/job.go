// Package job is what a command does that runs once, in a pod of its own.
package job

import (
	"context"
	"errors"
	"time"
)

// Restore waits for the data, unless ctx is done from the start.
func Restore(ctx context.Context, ready func() bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for range 60 {
		if ready() {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("no data")
}
