// Package scratch undoes what it did, with nothing in between that takes long.
package scratch

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Runner struct {
	client.Client
}

func (r *Runner) Run(ctx context.Context, pod *corev1.Pod) (err error) {
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	defer r.Delete(ctx, pod)
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (r *Runner) RunTwice(ctx context.Context, pod, other *corev1.Pod) (err error) {
	defer func() {
		if err != nil {
			_ = r.Delete(ctx, pod)
		}
	}()
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	return r.Create(ctx, other)
}
