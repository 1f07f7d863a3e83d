// Package upgrade goes on after its waits: the later writes take nothing back.
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
	Upgraded func(ctx context.Context) (bool, error)
}

func (u *Upgrader) Upgrade(ctx context.Context, node *corev1.Node, pods []client.Object) error {
	node.Labels["step"] = "one"
	if err := u.Update(ctx, node); err != nil {
		return err
	}
	if err := wait.PollUntilContextCancel(ctx, 5*time.Second, true, u.Upgraded); err != nil {
		return err
	}
	for _, pod := range pods {
		if err := u.Delete(ctx, pod); err != nil {
			return err
		}
	}
	node.Labels["step"] = "two"
	return u.Update(ctx, node)
}
