// Package lease renews until its context is done, and then gives up what it
// holds on that context.
package lease

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Lease struct {
	client.Client
}

func (l *Lease) Hold(ctx context.Context, holder *corev1.ConfigMap) error {
	for ctx.Err() == nil {
		if err := l.Patch(ctx, holder, client.Merge); err != nil {
			log.FromContext(ctx).Error(err, "Not renewed")
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	holder.Data = nil
	return l.Update(ctx, holder) // want "deadcleanup: Writer.Update runs on ctx, which is done here"
}
