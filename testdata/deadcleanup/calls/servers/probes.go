// Package probes shuts its server down.
package probes

import (
	"context"
	"net/http"
	"time"
)

// ServerIsShutDownOnAContextOfItsOwn gives the requests that are being answered
// some time.
type ServerIsShutDownOnAContextOfItsOwn struct {
	Server *http.Server
}

func (p *ServerIsShutDownOnAContextOfItsOwn) Start(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = p.Server.Shutdown(ctx)
	}()
	return p.Server.ListenAndServe()
}

// ServerIsShutDownOnDoneContext shuts its server down on a context that is
// done: it does not wait for a single request that is still being answered.
type ServerIsShutDownOnDoneContext struct {
	Server *http.Server
}

func (p *ServerIsShutDownOnDoneContext) Start(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		_ = p.Server.Shutdown(ctx) // want "deadcleanup: Server.Shutdown runs on ctx, which is done here"
	}()
	return p.Server.ListenAndServe()
}
