// Package node limits the time of a wait, and writes its status after that.
package node

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StatusHasItsOwnTimeLimit keeps the time limit of its wait from its status, or
// has a wait with a limit of its own within the larger one.
type StatusHasItsOwnTimeLimit struct {
	client.Client
	Ready func(ctx context.Context) (bool, error)
}

func (r *StatusHasItsOwnTimeLimit) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	node := new(corev1.Node)
	waiting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := wait.PollUntilContextCancel(waiting, time.Second, true, r.Ready); err != nil {
		node.Status.Phase = corev1.NodePending
		return ctrl.Result{}, errors.Join(err, r.Status().Update(ctx, node))
	}
	return ctrl.Result{}, r.within(ctx, node)
}

func (r *StatusHasItsOwnTimeLimit) within(ctx context.Context, node *corev1.Node) error {
	inner, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := r.Status().Update(inner, node); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, r.Ready)
}

func (r *StatusHasItsOwnTimeLimit) withinTwoLimits(ctx context.Context, node *corev1.Node) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	if err := wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, r.Ready); err != nil {
		return errors.Join(err, r.Status().Update(ctx, node))
	}
	if err := r.ready(ctx); err != nil {
		return errors.Join(err, r.Status().Update(ctx, node))
	}
	return nil
}

func (r *StatusHasItsOwnTimeLimit) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return wait.PollUntilContextCancel(ctx, time.Second, true, r.Ready)
}

// DeferredStatusOfReconcile writes the status of what it reconciles in the end,
// on the context of the reconcile: only the end of the process cancels that,
// and the next process writes the status.
type DeferredStatusOfReconcile struct {
	client.Client
}

func (r *DeferredStatusOfReconcile) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := node.DeepCopy()
	defer func() {
		err = errors.Join(err, r.Status().Patch(ctx, node, client.MergeFrom(before)))
	}()
	return ctrl.Result{}, r.Update(ctx, node)
}

// DeferredStatusOfReconcileThatWaits waits in its reconcile. The failure that
// it writes into the status is lost when the wait is cut short, which is no
// loss.
type DeferredStatusOfReconcileThatWaits struct {
	client.Client
}

func (r *DeferredStatusOfReconcileThatWaits) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	node := new(corev1.Node)
	defer func() {
		if err != nil {
			_ = r.Status().Update(ctx, node)
		}
	}()
	return ctrl.Result{}, wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		err := r.Get(ctx, req.NamespacedName, node)
		return node.Spec.ProviderID != "", err
	})
}

// WaitUsesUpTheTimeLimitOfTheStatus has one time limit for its wait and for the
// status that tells that the wait took too long.
type WaitUsesUpTheTimeLimitOfTheStatus struct {
	client.Client
	Ready func(ctx context.Context, node *corev1.Node) (bool, error)
}

func (r *WaitUsesUpTheTimeLimitOfTheStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	err := wait.PollUntilContextCancel(ctx, time.Second, true, func(ctx context.Context) (bool, error) {
		return r.Ready(ctx, node)
	})
	if err != nil {
		node.Status.Phase = corev1.NodePending
		return ctrl.Result{}, errors.Join(err, r.Status().Update(ctx, node)) // want "deadcleanup: SubResourceWriter.Update has no effect once ctx has ended the wait at .*node.go:.*"
	}
	return ctrl.Result{}, nil
}

// WaitUsesUpTheTimeLimitOfDeferredStatus writes its status in the end, within
// the time limit of the whole.
type WaitUsesUpTheTimeLimitOfDeferredStatus struct {
	client.Client
	Ready func(ctx context.Context, node *corev1.Node) (bool, error)
}

func (r *WaitUsesUpTheTimeLimitOfDeferredStatus) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	node := new(corev1.Node)
	defer func() {
		err = errors.Join(err, r.Status().Update(ctx, node)) // want "deadcleanup: SubResourceWriter.Update has no effect once ctx has ended the wait at .*node.go:.*"
	}()
	return ctrl.Result{}, r.waitFor(ctx, node)
}

func (r *WaitUsesUpTheTimeLimitOfDeferredStatus) waitFor(ctx context.Context, node *corev1.Node) error {
	for {
		ready, err := r.Ready(ctx, node)
		if ready || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
}
