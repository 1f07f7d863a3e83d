// Package report writes on another context where its own is done.
package report

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reporter struct {
	client.Client
}

func (r *Reporter) Report(ctx context.Context, configMap *corev1.ConfigMap, produce func(ctx context.Context) error) error {
	err := produce(ctx)
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return errors.Join(err, r.Update(ctx, configMap))
}

func (r *Reporter) ReportInTime(ctx context.Context, configMap *corev1.ConfigMap, produce func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer r.save(limited, configMap)
	defer cancel()
	return produce(limited)
}

// save detaches the context by itself.
func (r *Reporter) save(ctx context.Context, configMap *corev1.ConfigMap) {
	if ctx.Err() != nil {
		_ = r.Update(context.WithoutCancel(ctx), configMap)
		return
	}
	_ = r.Update(ctx, configMap)
}
