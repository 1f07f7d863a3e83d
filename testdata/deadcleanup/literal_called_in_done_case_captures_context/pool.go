// Package pool has its clean-up in a literal that captures the context.
package pool

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Pool struct {
	client.Client
}

func (p *Pool) Serve(ctx context.Context, pod *corev1.Pod, requests <-chan string) error {
	release := func() error {
		return p.Delete(ctx, pod)
	}
	for {
		select {
		case request := <-requests:
			if request == "stop" {
				return release()
			}
		case <-ctx.Done():
			return release() // want "deadcleanup: a closure .Writer.Delete, pool.go:.*. runs on its context, which is done here"
		}
	}
}
