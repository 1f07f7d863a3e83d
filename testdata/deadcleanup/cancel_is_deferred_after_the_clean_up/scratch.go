// Package scratch defers to cancel its context after it has deferred to delete a
// Pod on it: the context is cancelled first.
package scratch

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Runner struct {
	client.Client
}

func (r *Runner) Run(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	if err := r.Create(ctx, pod); err != nil {
		cancel()
		return err
	}
	defer r.remove(ctx, pod) // want "deadcleanup: Runner.remove .Writer.Delete, scratch.go:.*. runs after ctx is cancelled by the later defer"
	defer cancel()
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (r *Runner) remove(ctx context.Context, pod *corev1.Pod) {
	if err := r.Delete(ctx, pod); err != nil {
		log.FromContext(ctx).Error(err, "The Pod stays", "name", pod.Name)
	}
}
