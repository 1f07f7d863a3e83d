// Package drain has an undo that detaches the context by itself.
package drain

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Drainer struct {
	client.Client
	Empty func(ctx context.Context, node string) (bool, error)
}

func (d *Drainer) Drain(ctx context.Context, node *corev1.Node) (err error) {
	if err := d.exclude(ctx, node); err != nil {
		return err
	}
	defer d.include(ctx, node)
	return wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return d.Empty(ctx, node.Name)
	})
}

func (d *Drainer) exclude(ctx context.Context, node *corev1.Node) error {
	node.Annotations["excluded"] = "true"
	return d.Update(ctx, node)
}

func (d *Drainer) include(ctx context.Context, node *corev1.Node) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	node.Annotations["excluded"] = "false"
	return d.Update(ctx, node)
}
