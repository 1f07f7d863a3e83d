// Package scratch cancels in a deferred literal that does other things as well.
package scratch

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Runner struct {
	Clients kubernetes.Interface
}

func (r *Runner) Run(ctx context.Context, pod *corev1.Pod) error {
	limited, cancel := context.WithDeadline(ctx, time.Now().Add(time.Minute))
	pods := r.Clients.CoreV1().Pods(pod.Namespace)
	defer func() {
		_ = pods.Delete(limited, pod.Name, metav1.DeleteOptions{}) // want "deadcleanup: PodInterface.Delete runs after limited is cancelled"
	}()
	defer func() {
		cancel()
		log.FromContext(ctx).Info("Done")
	}()
	_, err := pods.Create(limited, pod, metav1.CreateOptions{})
	return err
}
