// Package resolver has a cache that lives as long as the process, whoever asks
// for it first. No context could be the right one.
package resolver

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type Resolver struct {
	clean func(context.Context)
}

// Start cleans the cache until ctx is done.
func (r *Resolver) Start(ctx context.Context) error {
	wait.UntilWithContext(ctx, r.clean, time.Minute)
	return nil
}

func (r *Resolver) lookup(ctx context.Context, name string) error { return ctx.Err() }

var shared = sync.OnceValue(func() *Resolver {
	r := &Resolver{clean: func(context.Context) {}}
	go func() { _ = r.Start(context.Background()) }()
	return r
})

// Lookup asks the shared resolver.
func Lookup(ctx context.Context, name string) error {
	return shared().lookup(ctx, name)
}
