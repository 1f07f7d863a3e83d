// Package deployment polls with contexts and without them.
package deployment

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// PollWithContextOfReconciler polls with the context that it was given.
type PollWithContextOfReconciler struct {
	client.Client
}

func (r *PollWithContextOfReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ready := r.ready(req.NamespacedName)
	if err := wait.PollUntilContextTimeout(ctx, 2*time.Second, 3*time.Minute, true, ready); err != nil {
		return ctrl.Result{}, err
	}
	if err := wait.PollUntilContextCancel(ctx, 2*time.Second, false, ready); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.olderPolls(ctx, req.NamespacedName)
}

func (r *PollWithContextOfReconciler) olderPolls(ctx context.Context, key client.ObjectKey) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	if err := wait.PollImmediateUntilWithContext(ctx, 5*time.Second, r.ready(key)); err != nil {
		return err
	}
	if err := wait.PollWithContext(ctx, 5*time.Second, time.Minute, r.ready(key)); err != nil {
		return err
	}
	return wait.PollUntil(5*time.Second, func() (bool, error) { return r.ready(key)(ctx) }, ctx.Done())
}

func (r *PollWithContextOfReconciler) ready(key client.ObjectKey) wait.ConditionWithContextFunc {
	return func(ctx context.Context) (bool, error) {
		d := &appsv1.Deployment{}
		if err := r.Get(ctx, key, d); err != nil {
			return false, nil
		}
		return d.Status.ReadyReplicas == d.Status.Replicas, nil
	}
}

// PollWithBackgroundBelowReconciler polls with contexts that are never done,
// below a reconciler that has a better one.
type PollWithBackgroundBelowReconciler struct {
	client.Client
}

func (r *PollWithBackgroundBelowReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.awaitObserved(req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitReady(req)
}

func (r *PollWithBackgroundBelowReconciler) awaitObserved(req ctrl.Request) error {
	return wait.PollUntilContextTimeout(context.Background(), 2*time.Second, 3*time.Minute, true, // want "ctxloop: .*never observes"
		func(ctx context.Context) (bool, error) {
			d := &appsv1.Deployment{}
			if err := r.Get(ctx, req.NamespacedName, d); err != nil {
				return false, err
			}
			return d.Status.ObservedGeneration >= d.Generation, nil
		})
}

func (r *PollWithBackgroundBelowReconciler) awaitReady(req ctrl.Request) error {
	ctx := context.TODO()
	return wait.PollUntilContextCancel(ctx, 2*time.Second, false, func(ctx context.Context) (bool, error) { // want "ctxloop: .*never observes"
		d := &appsv1.Deployment{}
		err := r.Get(ctx, req.NamespacedName, d)
		return err == nil && d.Status.ReadyReplicas == d.Status.Replicas, nil
	})
}

// PollWithoutContext uses the polls of older days, which take no context. A
// context inside the condition does not end them while its errors are
// swallowed.
type PollWithoutContext struct {
	Clientset kubernetes.Interface
}

func (n *PollWithoutContext) running(ctx context.Context, pod string) (bool, error) {
	p, err := n.Clientset.CoreV1().Pods("default").Get(ctx, pod, metav1.GetOptions{})
	if err != nil {
		return false, nil
	}
	return p.Status.Phase == corev1.PodRunning, nil
}

func (n *PollWithoutContext) Poll(ctx context.Context, pod string) error {
	return wait.Poll(5*time.Second, 5*time.Minute, func() (bool, error) { // want "ctxloop: .*never observes [a-zA-Z ]*, for up to 5m0s;"
		return n.running(ctx, pod)
	})
}

func (n *PollWithoutContext) Immediate(ctx context.Context, pod string) error {
	return wait.PollImmediate(5*time.Second, 5*time.Minute, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}

func (n *PollWithoutContext) Infinite(ctx context.Context, pod string) error {
	return wait.PollInfinite(5*time.Second, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}

func (n *PollWithoutContext) ImmediateInfinite(ctx context.Context, pod string) error {
	return wait.PollImmediateInfinite(5*time.Second, func() (bool, error) { // want "ctxloop: .*never observes"
		return n.running(ctx, pod)
	})
}
