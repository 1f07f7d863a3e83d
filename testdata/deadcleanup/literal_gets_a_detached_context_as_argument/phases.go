// Package phases hands the deferred literal its context when it is deferred.
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
	First func(ctx context.Context) error
}

func (p *Phases) Run(ctx context.Context, node *corev1.Node) (err error) {
	defer func(ctx context.Context) {
		err = errors.Join(err, p.Status().Update(ctx, node))
	}(ctx)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return p.First(ctx)
}
