// Package upgrade uncordons the node on a context of its own, whatever came of
// the wait.
package upgrade

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Upgrader struct {
	client.Client
	Upgraded func(ctx context.Context, node string) (bool, error)
}

func (u *Upgrader) Upgrade(ctx context.Context, node *corev1.Node) error {
	if err := u.cordon(ctx, node); err != nil {
		return err
	}
	waitErr := wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return u.Upgraded(ctx, node.Name)
	})
	return errors.Join(waitErr, u.uncordon(context.WithoutCancel(ctx), node))
}

func (u *Upgrader) cordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = true
	return u.Update(ctx, node)
}

func (u *Upgrader) uncordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = false
	return u.Update(ctx, node)
}
