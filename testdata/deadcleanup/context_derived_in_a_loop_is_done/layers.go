// Package layers puts one value after another into its context, which is done
// with the first of them all.
package layers

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Layers struct {
	client.Client
	Names []string
}

func (l *Layers) Hold(ctx context.Context, object client.Object) error {
	named := ctx
	for _, name := range l.Names {
		if name != "" {
			named = log.IntoContext(named, log.FromContext(named).WithName(name))
		}
	}
	<-ctx.Done()
	return l.Delete(named, object) // want "deadcleanup: Writer.Delete runs on named, which is done here"
}
