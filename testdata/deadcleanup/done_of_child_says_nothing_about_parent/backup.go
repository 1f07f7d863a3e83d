// Package backup runs out of the time that it has given to a part of its work.
package backup

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Backup struct {
	client.Client
	Dump func(ctx context.Context) error
}

func (b *Backup) Run(ctx context.Context, job *batchv1.Job) error {
	limited, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	err := b.Dump(limited)
	if limited.Err() != nil {
		return b.Update(ctx, job)
	}
	select {
	case <-limited.Done():
		return b.Delete(ctx, job)
	default:
		return err
	}
}
