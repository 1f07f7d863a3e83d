// Package probe polls without a context. Its condition fails with the context, so
// that the poll ends, and the clean-up with it.
package probe

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

type Prober struct {
	Clients kubernetes.Interface
}

func (p *Prober) Probe(ctx context.Context, pod *corev1.Pod) error {
	pods := p.Clients.CoreV1().Pods(pod.Namespace)
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	defer pods.Delete(ctx, pod.Name, metav1.DeleteOptions{}) // want "deadcleanup: PodInterface.Delete has no effect once ctx has ended the wait at probe.go:.*"
	return wait.PollImmediate(2*time.Second, time.Minute, func() (bool, error) {
		now, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return now.Status.Phase == corev1.PodSucceeded, nil
	})
}
