// Package upgrade uncordons the node only if the upgrade comes to its end.
package upgrade

import (
	"context"
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
	if err := u.cordon(ctx, node); err != nil { // want "deadcleanup: Upgrader.cordon is taken back by Upgrader.uncordon .upgrade.go:.*. only after a wait .upgrade.go:.*.; where ctx ends that wait, it stays"
		return err
	}
	if err := u.waitFor(ctx, node); err != nil {
		return err
	}
	return u.uncordon(ctx, node)
}

func (u *Upgrader) cordon(ctx context.Context, node *corev1.Node) error {
	return u.set(ctx, node, true)
}

func (u *Upgrader) uncordon(ctx context.Context, node *corev1.Node) error {
	return u.set(ctx, node, false)
}

func (u *Upgrader) set(ctx context.Context, node *corev1.Node, unschedulable bool) error {
	node.Spec.Unschedulable = unschedulable
	return u.Update(ctx, node)
}

func (u *Upgrader) waitFor(ctx context.Context, node *corev1.Node) error {
	return wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return u.Upgraded(ctx, node.Name)
	})
}
