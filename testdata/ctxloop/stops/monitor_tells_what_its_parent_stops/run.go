// Package run looks every second whether a server still runs, and stops it when
// the context is done. The goroutine that looks then sees that, and ends.
package run

import (
	"context"
	"log"
	"time"
)

// Server is what runs.
type Server interface {
	Running() (bool, error)
	Stop()
}

// Run returns when the server has ended.
func Run(ctx context.Context, server Server) {
	stopped := make(chan struct{})
	go func() {
		for {
			running, err := server.Running()
			if err != nil {
				log.Print(err)
				time.Sleep(time.Second)
				continue
			}
			if !running {
				close(stopped)
				return
			}
			time.Sleep(time.Second)
		}
	}()
	select {
	case <-ctx.Done():
		server.Stop()
	case <-stopped:
	}
}
