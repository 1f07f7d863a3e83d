// Package drain takes a node off the exclusion list on a context of its own.
package drain

import (
	"context"
	"errors"
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
	defer func() {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = errors.Join(err, d.include(undo, node))
	}()
	return wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return d.Empty(ctx, node.Name)
	})
}

func (d *Drainer) exclude(ctx context.Context, node *corev1.Node) error {
	return d.annotate(ctx, node, "true")
}

func (d *Drainer) include(ctx context.Context, node *corev1.Node) error {
	return d.annotate(ctx, node, "false")
}

func (d *Drainer) annotate(ctx context.Context, node *corev1.Node, value string) error {
	node.Annotations["excluded"] = value
	return d.Update(ctx, node)
}
