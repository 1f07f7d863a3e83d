// Package channels ends its loops by channels that somebody closes.
package channels

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// StoppedByLocalQuitChannel reports progress from a goroutine that the function
// which starts it also ends.
type StoppedByLocalQuitChannel struct {
	Backup func(ctx context.Context, name string, progress chan<- int) error
	Report func(name string, items int)
}

func (r *StoppedByLocalQuitChannel) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	progress := make(chan int)
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		ticker := time.NewTicker(10 * time.Second)
		defer ticker.Stop()
		items := 0
		for {
			select {
			case <-quit:
				return
			case items = <-progress:
			case <-ticker.C:
				r.Report(req.Name, items)
			}
		}
	}()
	return ctrl.Result{}, r.Backup(ctx, req.Name, progress)
}

// StopChannelIsDoneOfContext speaks of stop channels, which are the Done
// channel of its context or closed when that is.
type StopChannelIsDoneOfContext struct {
	Work func()
}

func (w *StopChannelIsDoneOfContext) Start(ctx context.Context) error {
	stopCh := ctx.Done()
	for {
		select {
		case <-stopCh:
			return nil
		case <-time.After(time.Minute):
			w.Work()
		}
	}
}

func (w *StopChannelIsDoneOfContext) Run(ctx context.Context) {
	w.run(ctx.Done())
}

func (w *StopChannelIsDoneOfContext) run(stopCh <-chan struct{}) {
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-stopCh:
			return
		case <-ticker.C:
			w.Work()
		}
	}
}

func (w *StopChannelIsDoneOfContext) Follow(ctx context.Context) {
	stop := make(chan struct{})
	defer context.AfterFunc(ctx, func() { close(stop) })()
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
			w.Work()
		}
	}
}

// StopChannelCheckedBetweenLongSleeps gets the Done channel of its context and
// asks it once a round, between sleeps of half a minute.
type StopChannelCheckedBetweenLongSleeps struct {
	Watch func() error
}

// Start watches until ctx is done.
func (w *StopChannelCheckedBetweenLongSleeps) Start(ctx context.Context) error {
	w.run(ctx.Done())
	return nil
}

func (w *StopChannelCheckedBetweenLongSleeps) run(stopCh <-chan struct{}) {
	for { // want "ctxloop: .*only after"
		select {
		case <-stopCh:
			return
		default:
		}
		if w.Watch() != nil {
			time.Sleep(30 * time.Second)
		}
	}
}
