// Package report leaves the write to others when its context is done.
package report

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reporter struct {
	client.Client
}

func (r *Reporter) Report(ctx context.Context, configMap *corev1.ConfigMap, produce func(ctx context.Context) error) error {
	defer func() {
		if ctx.Err() == nil {
			_ = r.Update(ctx, configMap)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return produce(ctx)
}
