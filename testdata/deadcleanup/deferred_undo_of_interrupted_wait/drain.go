// Package drain takes a node off the exclusion list when it is done with it, and
// fails to do so exactly where the drain is cut short.
package drain

import (
	"context"
	"net/http"
	"time"
)

type Search struct {
	HTTP     *http.Client
	Endpoint string
	Shards   func(ctx context.Context, node string) int
}

func (s *Search) Drain(ctx context.Context, node string) error {
	if err := s.exclude(ctx, node); err != nil {
		return err
	}
	defer s.include(ctx, node) // want "deadcleanup: Search.include .http.NewRequestWithContext, drain.go:.*. has no effect once ctx has ended the wait at drain.go:.*; run it on context.WithoutCancel with a timeout"
	return s.waitUntilEmpty(ctx, node)
}

func (s *Search) exclude(ctx context.Context, node string) error {
	return s.send(ctx, http.MethodPut, node)
}

func (s *Search) include(ctx context.Context, node string) error {
	return s.send(ctx, http.MethodDelete, node)
}

func (s *Search) send(ctx context.Context, method, node string) error {
	request, err := http.NewRequestWithContext(ctx, method, s.Endpoint+"/excluded/"+node, nil)
	if err != nil {
		return err
	}
	response, err := s.HTTP.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

func (s *Search) waitUntilEmpty(ctx context.Context, node string) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for s.Shards(ctx, node) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
	return nil
}
