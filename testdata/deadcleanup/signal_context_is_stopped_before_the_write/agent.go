// Package agent stops to listen to signals, by which it cancels the context that
// it needs once more.
package agent

import (
	"context"
	"errors"
	"os"
	"os/signal"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Run(parent context.Context, c client.Client, node *corev1.Node, serve func(ctx context.Context) error) error {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt)
	err := serve(ctx)
	stop()
	node.Spec.Unschedulable = true
	return errors.Join(err, c.Update(ctx, node)) // want "deadcleanup: Writer.Update runs on ctx, which is cancelled at agent.go:.*"
}
