// Package setup gets functions that wait from another package, and does not
// call them.
package setup

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/function_returns_what_waits/hooks"
)

type Registry struct {
	hooks []hooks.Hook
}

// Fill fills the registry, unless ctx is done.
func (r *Registry) Fill(ctx context.Context, ready func() bool) error {
	r.hooks = append(r.hooks, hooks.Default(ready)...)
	return ctx.Err()
}
