// Package hook calls functions and an interface that others implement: what they
// do with the context is not known.
package hook

import (
	"context"
	"errors"
	"time"
)

type Store interface {
	Persist(ctx context.Context) error
}

type Hooks struct {
	Store Store
	Undo  func(ctx context.Context) error
}

func (h *Hooks) Run(ctx context.Context, work func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer h.Undo(limited)
	defer cancel()
	if err := work(limited); err != nil {
		return err
	}
	<-ctx.Done()
	return errors.Join(h.Store.Persist(ctx), h.Undo(ctx))
}
