// Package worker has endless work that its context ends, or its owner, or the
// end of its input. None of them is a failure, and nobody waits for a result.
package worker

import (
	"context"
	"time"
)

type Worker struct {
	stop  chan struct{}
	input chan string
	fail  chan error
	work  func(item string) error
}

// Start works until it is stopped.
func (w *Worker) Start(ctx context.Context) error {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.stop:
			return nil
		case item, ok := <-w.input:
			if !ok {
				return nil
			}
			if err := w.work(item); err != nil {
				return err
			}
		case <-ticker.C:
			if err := w.work(""); err != nil {
				return err
			}
		}
	}
}

// Serve works until something fails.
func (w *Worker) Serve(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-w.fail:
			return err
		case <-time.After(time.Minute):
			if err := w.work(""); err != nil {
				return err
			}
		}
	}
}

// Sweep works until it is stopped, whatever comes of the work.
func (w *Worker) Sweep(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.stop:
			return nil
		case <-time.After(time.Minute):
			_ = w.work("")
		}
	}
}

// Stop ends Start and Sweep.
func (w *Worker) Stop() {
	close(w.stop)
}
