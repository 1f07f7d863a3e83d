// Package metadata sleeps at the head of its loop, ever longer, and only
// remembers the errors of its writes.
package metadata

import (
	"context"
	"fmt"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

const retries = 8

type Syncer struct {
	Clientset kubernetes.Interface
}

func (s *Syncer) Sync(ctx context.Context, pod *corev1.Pod, label string) error {
	var last error
	for attempt := 0; attempt < retries; attempt++ { // want "ctxloop: .*never observes"
		if attempt > 0 {
			time.Sleep(time.Duration(math.Pow(2, float64(attempt))) * time.Second)
		}
		pod = pod.DeepCopy()
		metav1.SetMetaDataLabel(&pod.ObjectMeta, "synced", label)
		_, err := s.Clientset.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
		if err == nil {
			return nil
		}
		last = err
	}
	return fmt.Errorf("after %d tries: %w", retries, last)
}
