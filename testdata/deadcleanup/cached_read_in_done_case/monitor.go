// Package monitor reads from a cache, which ignores the context.
package monitor

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Watch(ctx context.Context, reader client.Reader, node *corev1.Node) (string, error) {
	<-ctx.Done()
	err := reader.Get(ctx, client.ObjectKeyFromObject(node), node)
	return node.Labels["zone"], err
}
