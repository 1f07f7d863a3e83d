// Package relay acts for one context when another is done.
package relay

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Relay struct {
	client.Client
}

func (r *Relay) Run(ctx, session context.Context, holder *corev1.ConfigMap) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-session.Done():
		return r.Delete(ctx, holder)
	}
}
