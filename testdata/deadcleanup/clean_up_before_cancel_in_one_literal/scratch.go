// Package scratch cleans up first and cancels then.
package scratch

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Runner struct {
	client.Client
}

func (r *Runner) Run(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		_ = r.Delete(ctx, pod)
		cancel()
	}()
	return r.Create(ctx, pod)
}
