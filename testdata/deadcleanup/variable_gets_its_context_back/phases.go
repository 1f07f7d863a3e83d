// Package phases limits one phase, and then goes on with the context of before.
package phases

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Phases struct {
	client.Client
	First, Second func(ctx context.Context) error
}

func (p *Phases) Run(ctx context.Context, node *corev1.Node) (err error) {
	defer func() {
		err = errors.Join(err, p.Status().Update(ctx, node))
	}()
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	err = p.First(ctx)
	cancel()
	ctx = parent
	return errors.Join(err, p.Second(ctx))
}
