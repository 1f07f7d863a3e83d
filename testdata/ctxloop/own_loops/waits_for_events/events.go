// Package events waits for what others send.
package events

import "context"

// LoopHasNoWayOut handles what is sent to it for ever: its manager cannot stop it.
type LoopHasNoWayOut struct {
	Events <-chan string
	Errors <-chan error
	Handle func(ctx context.Context, event string)
}

func (w *LoopHasNoWayOut) Start(ctx context.Context) error {
	for { // want "ctxloop: loop waiting with a channel never observes ctx"
		select {
		case event := <-w.Events:
			w.Handle(ctx, event)
		case err := <-w.Errors:
			w.Handle(ctx, err.Error())
		}
	}
}

// LoopEndsWithItsContext handles what is sent to it until its manager stops it.
type LoopEndsWithItsContext struct {
	Events <-chan string
	Handle func(ctx context.Context, event string)
}

func (w *LoopEndsWithItsContext) Start(ctx context.Context) error {
	for {
		select {
		case event := <-w.Events:
			w.Handle(ctx, event)
		case <-ctx.Done():
			return nil
		}
	}
}

// LoopEndsWithItsInput has a way out: an error that its source sends, or the end
// of what it sends.
type LoopEndsWithItsInput struct {
	Events <-chan string
	Errors <-chan error
	Handle func(ctx context.Context, event string)
}

func (w *LoopEndsWithItsInput) Start(ctx context.Context) error {
	for {
		select {
		case event, ok := <-w.Events:
			if !ok {
				return nil
			}
			w.Handle(ctx, event)
		case err := <-w.Errors:
			return err
		}
	}
}
