// Package step embeds a struct that has the context, and waits without it.
package step

import (
	"context"
	"time"
)

type base struct {
	ctx  context.Context
	name string
}

type Rollout struct {
	base
	done func(name string) bool
}

func NewRollout(ctx context.Context, name string, done func(string) bool) *Rollout {
	return &Rollout{base: base{ctx: ctx, name: name}, done: done}
}

func (r *Rollout) Await() {
	for !r.done(r.name) { // want "ctxloop: .*never observes"
		time.Sleep(10 * time.Second)
	}
}
