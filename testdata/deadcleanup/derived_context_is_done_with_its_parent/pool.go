// Package pool gives its clean-up a time limit and a logger, but derives that
// context from the one that is done.
package pool

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Pool struct {
	client.Client
}

func (p *Pool) Serve(ctx context.Context, pod *corev1.Pod) error {
	<-ctx.Done()
	cleanup, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cleanup = log.IntoContext(cleanup, log.Log.WithName("cleanup"))
	return p.Delete(cleanup, pod) // want "deadcleanup: Writer.Delete runs on cleanup, which is done here"
}
