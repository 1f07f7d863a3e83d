// Package session has its contexts in structs, and listens to them.
package session

import (
	"context"
	"time"
)

type Session struct {
	ctx  context.Context
	ping func() error
}

func New(ctx context.Context, ping func() error) *Session {
	return &Session{ctx: ctx, ping: ping}
}

func (s *Session) Connect() error {
	for s.ping() != nil {
		select {
		case <-s.ctx.Done():
			return s.ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return nil
}

// Params is what the steps of a reconciliation share.
type Params struct {
	Ctx      context.Context
	Attempts int
	Healthy  func() bool
}

func awaitHealthy(p Params) bool {
	for i := 0; i < p.Attempts && p.Ctx.Err() == nil; i++ {
		if p.Healthy() {
			return true
		}
		select {
		case <-p.Ctx.Done():
		case <-time.After(3 * time.Second):
		}
	}
	return false
}

// Run is the first step.
func Run(p Params) bool {
	return awaitHealthy(p)
}
