// Package issuer writes its status in a helper that a deferred literal calls, on
// a context that has a time limit by then.
package issuer

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Controller struct {
	Clients kubernetes.Interface
	Setup   func(ctx context.Context, pod *corev1.Pod) error
}

func (c *Controller) Sync(ctx context.Context, pod *corev1.Pod) (err error) {
	before := pod.DeepCopy()
	defer func() {
		if saveErr := c.updateStatus(ctx, before, pod); saveErr != nil { // want "deadcleanup: Controller.updateStatus .PodInterface.UpdateStatus, issuer.go:.*. runs after ctx is cancelled"
			err = errors.Join(saveErr, err)
		}
	}()

	if pod.Spec.NodeName == "" {
		return nil
	}

	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return c.Setup(ctx, pod)
}

func (c *Controller) updateStatus(ctx context.Context, before, after *corev1.Pod) error {
	if before.Status.Phase == after.Status.Phase {
		return nil
	}
	_, err := c.Clients.CoreV1().Pods(after.Namespace).UpdateStatus(ctx, after, metav1.UpdateOptions{})
	return err
}
