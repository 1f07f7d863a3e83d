// Package probes gives the requests that are being answered some time.
package probes

import (
	"context"
	"net/http"
	"time"
)

type Probes struct {
	Server *http.Server
}

func (p *Probes) Start(ctx context.Context) error {
	go func() {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = p.Server.Shutdown(ctx)
	}()
	return p.Server.ListenAndServe()
}
