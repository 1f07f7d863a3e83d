// Package dial opens connections. A caller that no reconcile waits for may well wait
// some seconds.
package dial

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// SomeSeconds waits for six seconds in all. It has no context, so that its callers
// are judged.
func SomeSeconds(try func() error) (err error) {
	for range 3 {
		if err = try(); err == nil {
			return nil
		}
		time.Sleep(2 * time.Second)
	}
	return err
}

// WithContext waits for six seconds in all. Nobody knows whether a reconcile does.
func WithContext(ctx context.Context, try func(context.Context) error) (err error) {
	for range 3 {
		if err = try(ctx); err == nil {
			return nil
		}
		time.Sleep(2 * time.Second)
	}
	return err
}

// PollsForSomeSeconds waits for ten seconds.
func PollsForSomeSeconds(try func() error) error {
	return wait.PollImmediate(time.Second, 10*time.Second, func() (bool, error) { return try() == nil, nil })
}

// HalfAMinute waits for thirty seconds in all.
func HalfAMinute(ctx context.Context, try func(context.Context) error) (err error) {
	for range 15 { // want "ctxloop: .*never observes"
		if err = try(ctx); err == nil {
			return nil
		}
		time.Sleep(2 * time.Second)
	}
	return err
}
