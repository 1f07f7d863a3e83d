// Package called calls a cancel function and then writes.
package called

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// CleanUpIsOnTheParentOfWhatWasCancelled cancels the context of its workers and
// goes on with its own.
type CleanUpIsOnTheParentOfWhatWasCancelled struct {
	client.Client
	Work func(ctx context.Context)
}

func (c *CleanUpIsOnTheParentOfWhatWasCancelled) Run(ctx context.Context, election *corev1.ConfigMap) error {
	working, cancel := context.WithCancel(ctx)
	defer c.forget(ctx, election)
	defer cancel()
	go c.Work(working)
	cancel()
	return c.Update(ctx, election)
}

func (c *CleanUpIsOnTheParentOfWhatWasCancelled) forget(ctx context.Context, election *corev1.ConfigMap) {
	_ = c.Delete(ctx, election)
}

// CancelFunctionIsGivenAway gives its cancel function to others, and cancels
// itself only on some ways.
type CancelFunctionIsGivenAway struct {
	client.Client
	OnFailure func(cancel context.CancelFunc)
}

func (w *CancelFunctionIsGivenAway) Run(ctx context.Context, marker *corev1.ConfigMap, last bool) error {
	ctx, cancel := context.WithCancel(ctx)
	w.OnFailure(cancel)
	if last {
		cancel()
	}
	return w.Update(ctx, marker)
}

// CancelIsCalledBeforeTheCleanUp stops its workers by cancelling their context,
// and then tells the cluster on the same.
type CancelIsCalledBeforeTheCleanUp struct {
	client.Client
	Work func(ctx context.Context)
}

func (c *CancelIsCalledBeforeTheCleanUp) Run(ctx context.Context, election *corev1.ConfigMap) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() { c.Work(ctx) })
	}
	if err := c.Get(ctx, client.ObjectKeyFromObject(election), election); err != nil {
		cancel()
		workers.Wait()
		return err
	}
	cancel()
	workers.Wait()
	delete(election.Data, "leader")
	return c.Update(ctx, election) // want "deadcleanup: Writer.Update runs on ctx, which is cancelled at .*called.go:.*"
}

// SignalContextIsStoppedBeforeTheWrite stops to listen to signals, by which it
// cancels the context that it needs once more.
func SignalContextIsStoppedBeforeTheWrite(parent context.Context, c client.Client, node *corev1.Node, serve func(ctx context.Context) error) error {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt)
	err := serve(ctx)
	stop()
	node.Spec.Unschedulable = true
	return errors.Join(err, c.Update(ctx, node)) // want "deadcleanup: Writer.Update runs on ctx, which is cancelled at .*called.go:.*"
}
