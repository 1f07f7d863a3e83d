// Package layers puts one value after another into its context, in a loop: it is
// derived from the one that the function was given, however often.
package layers

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type key string

type Layers struct {
	client.Client
	Keys []key
}

func (l *Layers) Apply(ctx context.Context, object client.Object) error {
	for _, k := range l.Keys {
		ctx = log.IntoContext(ctx, log.FromContext(ctx).WithName(string(k)))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.Update(ctx, object)
}
