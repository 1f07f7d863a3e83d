// Package scratch cancels first and cleans up then, in one deferred literal.
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
		cancel()
		_ = r.Delete(ctx, pod) // want "deadcleanup: Writer.Delete runs on ctx, which is cancelled at scratch.go:.*"
	}()
	return r.Create(ctx, pod)
}
