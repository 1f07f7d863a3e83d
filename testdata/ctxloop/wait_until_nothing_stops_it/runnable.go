// Package runnable repeats its work with library loops that end with a channel,
// and gives them channels that nobody closes.
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

func (w *Worker) Forever(ctx context.Context) error {
	wait.Forever(w.Work, time.Minute) // want "ctxloop: .*never observes"
	return nil
}

func (w *Worker) NeverStop(ctx context.Context) error {
	wait.Until(w.Work, time.Minute, wait.NeverStop) // want "ctxloop: .*never observes"
	return nil
}

func (w *Worker) Jittered(ctx context.Context) error {
	stop := make(chan struct{})
	wait.JitterUntil(w.Work, time.Minute, 0.5, true, stop) // want "ctxloop: .*never observes"
	return nil
}

func (w *Worker) NonSliding(ctx context.Context) error {
	wait.NonSlidingUntil(w.Work, time.Minute, wait.NeverStop) // want "ctxloop: .*never observes"
	return nil
}

func (w *Worker) BackingOff(ctx context.Context) error {
	manager := wait.NewJitteredBackoffManager(time.Minute, 0.5, clock.RealClock{})
	wait.BackoffUntil(w.Work, manager, true, wait.NeverStop) // want "ctxloop: .*never observes"
	return nil
}

func (w *Worker) Polling(ctx context.Context) error {
	return wait.PollImmediateUntil(time.Minute, func() (bool, error) { // want "ctxloop: .*never observes"
		w.Work()
		return false, nil
	}, wait.NeverStop)
}

func (w *Worker) Start(ctx context.Context) error {
	go wait.Until(w.Work, time.Minute, wait.NeverStop) // want "ctxloop: .*never observes"
	<-ctx.Done()
	return nil
}

func (w *Worker) WithBackground(ctx context.Context) error {
	wait.UntilWithContext(context.Background(), func(context.Context) { w.Work() }, time.Minute) // want "ctxloop: .*never observes"
	return nil
}

func (w *Worker) Sync(ctx context.Context) bool {
	return cache.WaitForCacheSync(wait.NeverStop, w.Synced) // want "ctxloop: .*never observes"
}
