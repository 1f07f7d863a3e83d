// Package scratch defers in the right order: what is deferred last runs first.
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
	defer cancel()
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	defer r.remove(ctx, pod)
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (r *Runner) remove(ctx context.Context, pod *corev1.Pod) {
	if err := r.Delete(ctx, pod); err != nil {
		log.FromContext(ctx).Error(err, "The Pod stays", "name", pod.Name)
	}
}
