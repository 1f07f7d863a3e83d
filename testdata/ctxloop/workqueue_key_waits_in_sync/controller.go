// Package controller is a controller of client-go's style, whose worker waits
// for a rollout key by key.
package controller

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
)

type Controller struct {
	queue    workqueue.TypedRateLimitingInterface[string]
	rolledUp func(key string) (bool, error)
}

func (c *Controller) runWorker(ctx context.Context) {
	for c.processNext(ctx) {
	}
}

func (c *Controller) processNext(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(key); err != nil {
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

func (c *Controller) sync(key string) error {
	for i := 0; i < 60; i++ { // want "ctxloop: .*never observes"
		done, err := c.rolledUp(key)
		if err != nil {
			return err
		}
		if done {
			return nil
		}
		time.Sleep(5 * time.Second)
	}
	return fmt.Errorf("%s is not rolled out", key)
}

// Run runs a worker.
func (c *Controller) Run(ctx context.Context) {
	go c.runWorker(ctx)
	<-ctx.Done()
	c.queue.ShutDown()
}
