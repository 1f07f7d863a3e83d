// Package controller is a controller of client-go's style.
package controller

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
)

// WorkqueueWorkerEndsByShutdown is a controller of client-go's style. Its
// workers block on a queue that is shut down when the context is done.
type WorkqueueWorkerEndsByShutdown struct {
	queue workqueue.TypedRateLimitingInterface[string]
	sync  func(ctx context.Context, key string) error
}

// Run runs the workers until ctx is done.
func (c *WorkqueueWorkerEndsByShutdown) Run(ctx context.Context, workers int) {
	defer c.queue.ShutDown()
	for range workers {
		go wait.UntilWithContext(ctx, c.runWorker, time.Second)
	}
	<-ctx.Done()
}

func (c *WorkqueueWorkerEndsByShutdown) runWorker(ctx context.Context) {
	for c.processNext(ctx) {
	}
}

func (c *WorkqueueWorkerEndsByShutdown) processNext(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.sync(ctx, key); err != nil {
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

// WorkqueueKeyWaitsInSync is a controller of client-go's style, whose worker
// waits for a rollout key by key.
type WorkqueueKeyWaitsInSync struct {
	queue    workqueue.TypedRateLimitingInterface[string]
	rolledUp func(key string) (bool, error)
}

func (c *WorkqueueKeyWaitsInSync) runWorker(ctx context.Context) {
	for c.processNext(ctx) {
	}
}

func (c *WorkqueueKeyWaitsInSync) processNext(ctx context.Context) bool {
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

func (c *WorkqueueKeyWaitsInSync) sync(key string) error {
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
func (c *WorkqueueKeyWaitsInSync) Run(ctx context.Context) {
	go c.runWorker(ctx)
	<-ctx.Done()
	c.queue.ShutDown()
}
