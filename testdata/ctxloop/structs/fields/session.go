// Package session has its contexts in structs.
package session

import (
	"context"
	"time"
)

// ContextInFieldIsObserved has its contexts in structs, and listens to them.
type ContextInFieldIsObserved struct {
	ctx  context.Context
	ping func() error
}

func New(ctx context.Context, ping func() error) *ContextInFieldIsObserved {
	return &ContextInFieldIsObserved{ctx: ctx, ping: ping}
}

func (s *ContextInFieldIsObserved) Connect() error {
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

// ContextInFieldIsIgnored has its contexts in structs: of the receiver, and of
// a parameter.
type ContextInFieldIsIgnored struct {
	ctx  context.Context
	ping func() error
}

func NewIgnoring(ctx context.Context, ping func() error) *ContextInFieldIsIgnored {
	return &ContextInFieldIsIgnored{ctx: ctx, ping: ping}
}

func (s *ContextInFieldIsIgnored) Connect() {
	for s.ping() != nil { // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
}

// IgnoredParams is what the steps of a reconciliation share.
type IgnoredParams struct {
	Ctx      context.Context
	Name     string
	Attempts int
	Healthy  func(ctx context.Context, name string) bool
}

func sleepUntilHealthy(p IgnoredParams) bool {
	for i := 0; i < p.Attempts; i++ { // want "ctxloop: .*never observes"
		if p.Healthy(p.Ctx, p.Name) {
			return true
		}
		time.Sleep(3 * time.Second)
	}
	return false
}

// RunIgnoring is the first step.
func RunIgnoring(p IgnoredParams) bool {
	return sleepUntilHealthy(p)
}

type base struct {
	ctx  context.Context
	name string
}

// ContextInEmbeddedStructIsIgnored embeds a struct that has the context, and
// waits without it.
type ContextInEmbeddedStructIsIgnored struct {
	base
	done func(name string) bool
}

func NewRollout(ctx context.Context, name string, done func(string) bool) *ContextInEmbeddedStructIsIgnored {
	return &ContextInEmbeddedStructIsIgnored{base: base{ctx: ctx, name: name}, done: done}
}

func (r *ContextInEmbeddedStructIsIgnored) Await() {
	for !r.done(r.name) { // want "ctxloop: .*never observes"
		time.Sleep(10 * time.Second)
	}
}
