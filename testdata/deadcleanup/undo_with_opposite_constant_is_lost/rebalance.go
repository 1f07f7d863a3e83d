// Package rebalance switches the rebalancing off while it drains a node, and
// never on again if that is cut short.
package rebalance

import (
	"context"
	"net/http"
	"strings"
	"time"
)

type Search struct {
	HTTP     *http.Client
	Endpoint string
	Empty    func(ctx context.Context, node string) bool
}

func (s *Search) Drain(ctx context.Context, node string) error {
	if err := s.setRebalance(ctx, false); err != nil { // want "deadcleanup: Search.setRebalance is taken back by Search.setRebalance .rebalance.go:.*. only after a wait"
		return err
	}
	if err := s.waitUntilEmpty(ctx, node); err != nil {
		return err
	}
	return s.setRebalance(ctx, true)
}

func (s *Search) setRebalance(ctx context.Context, on bool) error {
	value := "none"
	if on {
		value = "all"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, s.Endpoint+"/settings", strings.NewReader(value))
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
	for !s.Empty(ctx, node) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Second):
		}
	}
	return nil
}
