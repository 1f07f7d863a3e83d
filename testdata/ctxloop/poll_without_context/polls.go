// Package polls uses the polls of older days, which take no context. A context
// inside the condition does not end them while its errors are swallowed.
package polls

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

type Nodes struct {
	Clientset kubernetes.Interface
}

func (n *Nodes) running(ctx context.Context, pod string) (bool, error) {
	p, err := n.Clientset.CoreV1().Pods("default").Get(ctx, pod, metav1.GetOptions{})
	if err != nil {
		return false, nil
	}
	return p.Status.Phase == corev1.PodRunning, nil
}

func (n *Nodes) Poll(ctx context.Context, pod string) error {
	return wait.Poll(5*time.Second, 5*time.Minute, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}

func (n *Nodes) Immediate(ctx context.Context, pod string) error {
	return wait.PollImmediate(5*time.Second, 5*time.Minute, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}

func (n *Nodes) Infinite(ctx context.Context, pod string) error {
	return wait.PollInfinite(5*time.Second, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}

func (n *Nodes) ImmediateInfinite(ctx context.Context, pod string) error {
	return wait.PollImmediateInfinite(5*time.Second, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}
