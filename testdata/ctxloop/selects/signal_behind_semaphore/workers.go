// Package workers hands items to a bounded number of goroutines.
package workers

import (
	"context"
	"sync"
	"time"
)

// SignalBehindSemaphore sees that there are no more items when it has a place for
// the next one.
type SignalBehindSemaphore struct {
	Items chan string
	Work  func(ctx context.Context, item string)
}

func (w *SignalBehindSemaphore) Run(ctx context.Context, places chan struct{}, all *sync.WaitGroup) {
	for {
		select {
		case places <- struct{}{}:
			select {
			case item, open := <-w.Items:
				if !open {
					return
				}
				all.Add(1)
				go func() {
					defer all.Done()
					w.Work(ctx, item)
					<-places
				}()
			default:
				<-places
			}
		default:
			time.Sleep(10 * time.Second)
		}
	}
}

// NothingBehindSemaphore goes on until there is nothing more to do, whoever waits.
type NothingBehindSemaphore struct {
	Next func() string
	Work func(ctx context.Context, item string)
}

func (w *NothingBehindSemaphore) Run(ctx context.Context, places chan struct{}) {
	for { // want "ctxloop: .*never observes"
		select {
		case places <- struct{}{}:
			item := w.Next()
			if item == "" {
				<-places
				return
			}
			go func() {
				w.Work(ctx, item)
				<-places
			}()
		default:
			time.Sleep(10 * time.Second)
		}
	}
}
