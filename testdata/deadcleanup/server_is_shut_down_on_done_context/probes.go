// Package probes shuts its server down on a context that is done: it does not
// wait for a single request that is still being answered.
package probes

import (
	"context"
	"net/http"
)

type Probes struct {
	Server *http.Server
}

func (p *Probes) Start(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		_ = p.Server.Shutdown(ctx) // want "deadcleanup: Server.Shutdown runs on ctx, which is done here"
	}()
	return p.Server.ListenAndServe()
}
