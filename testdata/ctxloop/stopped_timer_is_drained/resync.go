// Package resync receives from a timer that it has just failed to stop, which
// is no wait, and goes on with the next object after an error.
package resync

import (
	"context"
	"log"
	"time"
)

type Resyncer struct {
	Period  time.Duration
	Changes <-chan string
	Resync  func(ctx context.Context, name string) error
}

// Start resyncs objects some time after they changed last.
func (r *Resyncer) Start(ctx context.Context) error {
	timer := time.NewTimer(r.Period)
	defer timer.Stop()
	var name string
	for {
		select {
		case <-ctx.Done():
			return nil
		case name = <-r.Changes:
			if !timer.Stop() {
				<-timer.C
			}
		case <-timer.C:
			if err := r.Resync(ctx, name); err != nil {
				log.Printf("resync %s: %v", name, err)
				timer.Reset(time.Second)
				continue
			}
		}
		timer.Reset(r.Period)
	}
}
