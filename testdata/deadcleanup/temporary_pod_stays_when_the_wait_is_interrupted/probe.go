// Package probe runs a Pod for as long as it needs it. A reconcile that is cut
// short leaves it running.
package probe

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Prober struct {
	client.Client
}

func (p *Prober) Probe(ctx context.Context, pod *corev1.Pod) error {
	if err := p.Create(ctx, pod); err != nil {
		return err
	}
	defer func() {
		if err := p.Delete(ctx, pod); err != nil { // want "deadcleanup: Writer.Delete has no effect once ctx has ended the wait at probe.go:.*"
			log.FromContext(ctx).Error(err, "The Pod stays")
		}
	}()
	return wait.PollUntilContextTimeout(ctx, 2*time.Second, 5*time.Minute, false, func(ctx context.Context) (bool, error) {
		err := p.Get(ctx, client.ObjectKeyFromObject(pod), pod)
		return pod.Status.Phase == corev1.PodSucceeded, err
	})
}
