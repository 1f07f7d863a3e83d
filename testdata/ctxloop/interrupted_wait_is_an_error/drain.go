// Package drain says that its waits were interrupted, in several ways. A wait
// that only paces an endless loop has nothing to say.
package drain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type Drainer struct {
	Shards func(node string) int
}

func (d *Drainer) Empty(ctx context.Context, node string) error {
	for ctx.Err() == nil {
		if d.Shards(node) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	return fmt.Errorf("drain of %s interrupted: %w", node, context.Cause(ctx))
}

func (d *Drainer) Poll(ctx context.Context, node string) error {
	err := wait.PollUntilContextCancel(ctx, 10*time.Second, true, func(context.Context) (bool, error) {
		return d.Shards(node) == 0, nil
	})
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("drain of %s interrupted: %w", node, err)
	}
	return err
}

func (d *Drainer) Watch(ctx context.Context, node string, changed func(int)) error {
	for {
		changed(d.Shards(node))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
	}
}
