// Package workers gives its cancel function to others, and cancels itself only on
// some ways.
package workers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Workers struct {
	client.Client
	OnFailure func(cancel context.CancelFunc)
}

func (w *Workers) Run(ctx context.Context, marker *corev1.ConfigMap, last bool) error {
	ctx, cancel := context.WithCancel(ctx)
	w.OnFailure(cancel)
	if last {
		cancel()
	}
	return w.Update(ctx, marker)
}
