// Package runnable repeats its work with library loops.
package runnable

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
)

// WaitUntilContextIsDone repeats its work with library loops that end with its
// context, or with the context's Done channel.
type WaitUntilContextIsDone struct {
	Work   func()
	Synced cache.InformerSynced
}

func (w *WaitUntilContextIsDone) Start(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), w.Synced) {
		return ctx.Err()
	}
	go wait.Until(w.Work, time.Minute, ctx.Done())
	go wait.UntilWithContext(ctx, func(context.Context) { w.Work() }, time.Minute)
	wait.NonSlidingUntilWithContext(ctx, func(context.Context) { w.Work() }, time.Minute)
	return nil
}

func (w *WaitUntilContextIsDone) Jittered(ctx context.Context) {
	stopCh := ctx.Done()
	wait.JitterUntil(w.Work, time.Minute, 0.5, true, stopCh)
	wait.JitterUntilWithContext(ctx, func(context.Context) { w.Work() }, time.Minute, 0.5, true)
	manager := wait.NewJitteredBackoffManager(time.Minute, 0.5, clock.RealClock{})
	wait.BackoffUntil(w.Work, manager, true, stopCh)
}

// Follower is stopped by channels that are closed when its context is done, or
// by whoever owns it.
type Follower struct {
	WaitUntilContextIsDone
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

// WaitUntilNothingStopsIt repeats its work with library loops that end with a
// channel, and gives them channels that nobody closes.
type WaitUntilNothingStopsIt struct {
	Work   func()
	Synced cache.InformerSynced
}

func (w *WaitUntilNothingStopsIt) Forever(ctx context.Context) error {
	wait.Forever(w.Work, time.Minute) // want "ctxloop: .*never observes"
	return nil
}

func (w *WaitUntilNothingStopsIt) NeverStop(ctx context.Context) error {
	wait.Until(w.Work, time.Minute, wait.NeverStop) // want "ctxloop: .*never observes"
	return nil
}

func (w *WaitUntilNothingStopsIt) Jittered(ctx context.Context) error {
	stop := make(chan struct{})
	wait.JitterUntil(w.Work, time.Minute, 0.5, true, stop) // want "ctxloop: .*never observes"
	return nil
}

func (w *WaitUntilNothingStopsIt) NonSliding(ctx context.Context) error {
	wait.NonSlidingUntil(w.Work, time.Minute, wait.NeverStop) // want "ctxloop: .*never observes"
	return nil
}

func (w *WaitUntilNothingStopsIt) BackingOff(ctx context.Context) error {
	manager := wait.NewJitteredBackoffManager(time.Minute, 0.5, clock.RealClock{})
	wait.BackoffUntil(w.Work, manager, true, wait.NeverStop) // want "ctxloop: .*never observes"
	return nil
}

func (w *WaitUntilNothingStopsIt) Polling(ctx context.Context) error {
	return wait.PollImmediateUntil(time.Minute, func() (bool, error) { // want "ctxloop: .*never observes"
		w.Work()
		return false, nil
	}, wait.NeverStop)
}

func (w *WaitUntilNothingStopsIt) Start(ctx context.Context) error {
	go wait.Until(w.Work, time.Minute, wait.NeverStop) // want "ctxloop: .*never observes"
	<-ctx.Done()
	return nil
}

func (w *WaitUntilNothingStopsIt) WithBackground(ctx context.Context) error {
	wait.UntilWithContext(context.Background(), func(context.Context) { w.Work() }, time.Minute) // want "ctxloop: .*never observes"
	return nil
}

func (w *WaitUntilNothingStopsIt) Sync(ctx context.Context) bool {
	return cache.WaitForCacheSync(wait.NeverStop, w.Synced) // want "ctxloop: .*never observes"
}
