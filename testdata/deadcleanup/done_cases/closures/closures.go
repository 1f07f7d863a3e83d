// Package closures cleans up in functions that it defers or calls once it is
// told to stop.
package closures

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// DeferredInDoneCase defers its clean-up only when it is told to stop.
type DeferredInDoneCase struct {
	client.Client
	Flush func()
}

func (s *DeferredInDoneCase) Serve(ctx context.Context, holder *corev1.ConfigMap, beats <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			defer s.Delete(ctx, holder) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
			s.Flush()
			return ctx.Err()
		case <-beats:
			if err := s.Update(ctx, holder); err != nil {
				return err
			}
		}
	}
}

// GoroutineCleansUpWhenDone ends its session from a goroutine that waits for
// the context.
type GoroutineCleansUpWhenDone struct {
	client.Client
}

func (s *GoroutineCleansUpWhenDone) Open(ctx context.Context, holder *corev1.ConfigMap) error {
	if err := s.Create(ctx, holder); err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		if err := s.Delete(ctx, holder); err != nil { // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
			log.Log.Error(err, "The session stays open")
		}
	}()
	return nil
}

// LiteralCalledInDoneCaseCapturesContext has its clean-up in a literal that
// captures the context.
type LiteralCalledInDoneCaseCapturesContext struct {
	client.Client
}

func (p *LiteralCalledInDoneCaseCapturesContext) Serve(ctx context.Context, pod *corev1.Pod, requests <-chan string) error {
	release := func() error {
		return p.Delete(ctx, pod)
	}
	for {
		select {
		case request := <-requests:
			if request == "stop" {
				return release()
			}
		case <-ctx.Done():
			return release() // want "deadcleanup: release .Writer.Delete, .*closures.go:.*. runs on its context, which is done here"
		}
	}
}

// RetryInDoneCaseCapturesContext retries conflicts of a write that cannot
// happen.
type RetryInDoneCaseCapturesContext struct {
	client.Client
}

func (r *RetryInDoneCaseCapturesContext) hold(ctx context.Context, node *corev1.Node) error {
	<-ctx.Done()
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { // want "deadcleanup: retry.RetryOnConflict .Writer.Update, .*closures.go:.*. runs on its context, which is done here"
		if err := r.Get(ctx, client.ObjectKeyFromObject(node), node); err != nil {
			return err
		}
		node.Spec.Unschedulable = false
		return r.Update(ctx, node)
	})
}
