// Package session has its contexts in structs: of the receiver, and of a
// parameter.
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

func (s *Session) Connect() {
	for s.ping() != nil { // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
}

// Params is what the steps of a reconciliation share.
type Params struct {
	Ctx      context.Context
	Name     string
	Attempts int
	Healthy  func(ctx context.Context, name string) bool
}

func awaitHealthy(p Params) bool {
	for i := 0; i < p.Attempts; i++ { // want "ctxloop: .*never observes"
		if p.Healthy(p.Ctx, p.Name) {
			return true
		}
		time.Sleep(3 * time.Second)
	}
	return false
}

// Run is the first step.
func Run(p Params) bool {
	return awaitHealthy(p)
}
