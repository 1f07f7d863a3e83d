// Package scratch defers to cancel its context, and to delete what it has made.
package scratch

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// CancelIsDeferredBeforeTheCleanUp defers in the right order: what is deferred
// last runs first.
type CancelIsDeferredBeforeTheCleanUp struct {
	client.Client
}

func (r *CancelIsDeferredBeforeTheCleanUp) Run(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	defer r.remove(ctx, pod)
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (r *CancelIsDeferredBeforeTheCleanUp) remove(ctx context.Context, pod *corev1.Pod) {
	if err := r.Delete(ctx, pod); err != nil {
		log.FromContext(ctx).Error(err, "The Pod stays", "name", pod.Name)
	}
}

// CleanUpBeforeCancelInOneLiteral cleans up first and cancels then.
type CleanUpBeforeCancelInOneLiteral struct {
	client.Client
}

func (r *CleanUpBeforeCancelInOneLiteral) Run(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		_ = r.Delete(ctx, pod)
		cancel()
	}()
	return r.Create(ctx, pod)
}

// CancelIsDeferredAfterTheCleanUp defers to cancel its context after it has
// deferred to delete a Pod on it: the context is cancelled first.
type CancelIsDeferredAfterTheCleanUp struct {
	client.Client
}

func (r *CancelIsDeferredAfterTheCleanUp) Run(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	if err := r.Create(ctx, pod); err != nil {
		cancel()
		return err
	}
	defer r.remove(ctx, pod) // want "deadcleanup: CancelIsDeferredAfterTheCleanUp.remove .Writer.Delete, .*scratch.go:.*. runs after ctx is cancelled by the later defer"
	defer cancel()
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (r *CancelIsDeferredAfterTheCleanUp) remove(ctx context.Context, pod *corev1.Pod) {
	if err := r.Delete(ctx, pod); err != nil {
		log.FromContext(ctx).Error(err, "The Pod stays", "name", pod.Name)
	}
}

// CancelIsDeferredInALiteral cancels in a deferred literal that does other
// things as well.
type CancelIsDeferredInALiteral struct {
	Clients kubernetes.Interface
}

func (r *CancelIsDeferredInALiteral) Run(ctx context.Context, pod *corev1.Pod) error {
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

// CancelAndCleanUpShareADeferredLiteral cancels first and cleans up then, in
// one deferred literal.
type CancelAndCleanUpShareADeferredLiteral struct {
	client.Client
}

func (r *CancelAndCleanUpShareADeferredLiteral) Run(ctx context.Context, pod *corev1.Pod) error {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		_ = r.Delete(ctx, pod) // want "deadcleanup: Writer.Delete runs on ctx, which is cancelled at .*scratch.go:.*"
	}()
	return r.Create(ctx, pod)
}
