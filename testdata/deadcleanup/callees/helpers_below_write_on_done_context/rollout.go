// Package rollout takes a rollout back through helpers.
package rollout

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Rollout struct {
	client.Client
}

func (r *Rollout) Run(ctx context.Context, node *corev1.Node, steps <-chan string) error {
	for {
		select {
		case step, more := <-steps:
			if !more {
				return nil
			}
			node.Labels["step"] = step
			if err := r.save(ctx, node); err != nil {
				return err
			}
		case <-ctx.Done():
			return errors.Join(ctx.Err(), r.rollBack(ctx, node)) // want "deadcleanup: Rollout.rollBack .Writer.Update, .*rollout.go:.*. runs on ctx, which is done here"
		}
	}
}

func (r *Rollout) rollBack(ctx context.Context, node *corev1.Node) error {
	delete(node.Labels, "step")
	return r.save(ctx, node)
}

func (r *Rollout) save(ctx context.Context, node *corev1.Node) error {
	return r.Update(ctx, node)
}
