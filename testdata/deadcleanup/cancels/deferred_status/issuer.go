// Package issuer writes its status in a deferred function, and limits the time
// of its work.
package issuer

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StatusIsWrittenBeforeTheDeferredCancel makes its context before it defers to
// write the status: that is cancelled after the write.
type StatusIsWrittenBeforeTheDeferredCancel struct {
	client.Client
	Setup func(ctx context.Context, secret *corev1.Secret) error
}

func (r *StatusIsWrittenBeforeTheDeferredCancel) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		err = errors.Join(err, r.Status().Update(ctx, node))
	}()
	return ctrl.Result{}, r.Setup(ctx, new(corev1.Secret))
}

// DeferredWriteIsOnADetachedContext detaches the context on which it writes the
// status.
type DeferredWriteIsOnADetachedContext struct {
	client.Client
	Setup func(ctx context.Context, secret *corev1.Secret) error
}

func (r *DeferredWriteIsOnADetachedContext) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		err = errors.Join(err, r.Status().Update(ctx, node))
	}()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return ctrl.Result{}, r.Setup(ctx, new(corev1.Secret))
}

// TimeLimitHasItsOwnVariable limits a part of its work only, in a variable of
// its own.
type TimeLimitHasItsOwnVariable struct {
	client.Client
	Setup func(ctx context.Context, secret *corev1.Secret) error
}

func (r *TimeLimitHasItsOwnVariable) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		err = errors.Join(err, r.Status().Update(ctx, node))
	}()
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return ctrl.Result{}, r.Setup(limited, new(corev1.Secret))
}

// StatusIsWrittenAfterLaterDeferCancels limits the time that it takes to set an
// issuer up. The deferred literal that writes the status loads the variable
// when it runs: what it finds there has been cancelled by the defer statement
// after it.
type StatusIsWrittenAfterLaterDeferCancels struct {
	client.Client
	Setup func(ctx context.Context, secret *corev1.Secret) error
}

func (r *StatusIsWrittenAfterLaterDeferCancels) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer func() {
		err = errors.Join(err, r.Status().Update(ctx, node)) // want "deadcleanup: SubResourceWriter.Update runs after ctx is cancelled by the later defer at .*issuer.go:.*"
	}()

	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return ctrl.Result{}, r.Setup(ctx, new(corev1.Secret))
}

// HelperWritesStatusAfterCancel writes its status in a helper that a deferred
// literal calls, on a context that has a time limit by then.
type HelperWritesStatusAfterCancel struct {
	Clients kubernetes.Interface
	Setup   func(ctx context.Context, pod *corev1.Pod) error
}

func (c *HelperWritesStatusAfterCancel) Sync(ctx context.Context, pod *corev1.Pod) (err error) {
	before := pod.DeepCopy()
	defer func() {
		if saveErr := c.updateStatus(ctx, before, pod); saveErr != nil { // want "deadcleanup: HelperWritesStatusAfterCancel.updateStatus .PodInterface.UpdateStatus, .*issuer.go:.*. runs after ctx is cancelled"
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

func (c *HelperWritesStatusAfterCancel) updateStatus(ctx context.Context, before, after *corev1.Pod) error {
	if before.Status.Phase == after.Status.Phase {
		return nil
	}
	_, err := c.Clients.CoreV1().Pods(after.Namespace).UpdateStatus(ctx, after, metav1.UpdateOptions{})
	return err
}
