// Package scratch waits for a second.
package scratch

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Runner struct {
	client.Client
}

func (r *Runner) Run(ctx context.Context, pod *corev1.Pod) error {
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	defer r.Delete(ctx, pod)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
	}
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}
