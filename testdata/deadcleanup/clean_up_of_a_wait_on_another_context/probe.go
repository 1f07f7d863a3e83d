// Package probe waits on a context of its session, and cleans up on that of the
// request.
package probe

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Prober struct {
	client.Client
	Session context.Context
}

func (p *Prober) Probe(ctx, session context.Context, pod *corev1.Pod) error {
	if err := p.Create(ctx, pod); err != nil {
		return err
	}
	defer p.Delete(ctx, pod)
	return wait.PollUntilContextCancel(session, time.Second, true, func(ctx context.Context) (bool, error) {
		err := p.Get(ctx, client.ObjectKeyFromObject(pod), pod)
		return pod.Status.Phase == corev1.PodSucceeded, err
	})
}
