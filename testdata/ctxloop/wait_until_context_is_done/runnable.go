// Package runnable repeats its work with library loops that end with its
// context, or with the context's Done channel.
package runnable

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

type Worker struct {
	Work   func()
	Synced cache.InformerSynced
}

func (w *Worker) Start(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), w.Synced) {
		return ctx.Err()
	}
	go wait.Until(w.Work, time.Minute, ctx.Done())
	go wait.UntilWithContext(ctx, func(context.Context) { w.Work() }, time.Minute)
	wait.NonSlidingUntilWithContext(ctx, func(context.Context) { w.Work() }, time.Minute)
	return nil
}

func (w *Worker) Jittered(ctx context.Context) {
	stopCh := ctx.Done()
	wait.JitterUntil(w.Work, time.Minute, 0.5, true, stopCh)
	wait.JitterUntilWithContext(ctx, func(context.Context) { w.Work() }, time.Minute, 0.5, true)
	manager := wait.NewJitteredBackoffManager(time.Minute, 0.5, clock.RealClock{})
	wait.BackoffUntil(w.Work, manager, true, stopCh)
}

// Follower is stopped by channels that are closed when its context is done, or
// by whoever owns it.
type Follower struct {
	Worker
	stopCh chan struct{}
}

func (f *Follower) Follow(ctx context.Context) {
	stop := make(chan struct{})
	go func() {
		<-ctx.Done()
		close(stop)
	}()
	wait.Until(f.Work, time.Minute, stop)
}

func (f *Follower) Run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wait.Until(f.Work, time.Minute, f.stopCh)
	return nil
}

// Stop ends Run.
func (f *Follower) Stop() {
	close(f.stopCh)
}
