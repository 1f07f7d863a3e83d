// Package backup compares the context's error in the ways that there are.
package backup

import (
	"context"
	"errors"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Backup struct {
	client.Client
	Dump func(ctx context.Context) error
}

func (b *Backup) Run(ctx context.Context, job *batchv1.Job) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	err := b.Dump(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return b.Delete(ctx, job) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
	}
	if ctx.Err() == context.Canceled {
		return b.Delete(ctx, job) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
	}
	if context.Cause(ctx) != nil && !errors.Is(err, context.Canceled) {
		return b.Delete(ctx, job) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
	}
	return err
}
