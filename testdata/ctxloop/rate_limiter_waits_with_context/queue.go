// Package queue paces itself by rate limiters that listen to the context.
package queue

import (
	"context"

	"k8s.io/client-go/util/flowcontrol"
)

type Sender struct {
	Limiter flowcontrol.RateLimiter
	Send    func(item string) error
}

func (s *Sender) SendAll(ctx context.Context, items []string) error {
	for _, item := range items {
		if err := s.Limiter.Wait(ctx); err != nil {
			return err
		}
		if err := s.Send(item); err != nil {
			return err
		}
	}
	return nil
}
