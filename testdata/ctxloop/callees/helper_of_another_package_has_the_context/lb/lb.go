// Package lb talks to the cloud's load balancers.
package lb

import (
	"context"
	"fmt"
	"time"
)

// Client talks to the cloud.
type Client struct {
	Status func(name string) string
}

// AwaitActive returns when the balancer is active.
func (c Client) AwaitActive(ctx context.Context, name string) error {
	delay := time.Second
	for range 19 { // want "ctxloop: .*never observes"
		switch c.Status(name) {
		case "ACTIVE":
			return nil
		case "ERROR":
			return fmt.Errorf("balancer %s failed", name)
		}
		time.Sleep(delay)
		delay = delay * 12 / 10
	}
	return fmt.Errorf("balancer %s is not active", name)
}
