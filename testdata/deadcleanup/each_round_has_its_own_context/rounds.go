// Package rounds cancels the context of a round before the next one makes its own.
package rounds

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Rounds struct {
	client.Client
}

func (r *Rounds) Run(ctx context.Context, objects []client.Object) error {
	for _, object := range objects {
		round, cancel := context.WithTimeout(ctx, time.Second)
		err := r.Update(round, object)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Rounds) RunAll(ctx context.Context, objects []client.Object) error {
	for _, object := range objects {
		round, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		defer r.Delete(round, object)
		if err := r.Update(round, object); err != nil {
			return err
		}
	}
	return nil
}
