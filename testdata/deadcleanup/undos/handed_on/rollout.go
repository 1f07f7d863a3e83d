// Package rollout hands its undos on: to a helper that calls them when something
// has failed, as the value of a method, and in a struct that keeps the context.
package rollout

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// UndoIsHandedToAHelper gives its undo to a helper that calls it with the context
// of the reconcile.
type UndoIsHandedToAHelper struct {
	client.Client
	Settled wait.ConditionWithContextFunc
}

func onError(ctx context.Context, err *error, undo func(ctx context.Context) error) {
	if *err != nil {
		_ = undo(ctx)
	}
}

func (r *UndoIsHandedToAHelper) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	probe := new(corev1.Pod)
	defer onError(ctx, &err, func(ctx context.Context) error { return r.Delete(ctx, probe) }) // want "deadcleanup: rollout.onError .Writer.Delete, .*rollout.go:.* has no effect once ctx has ended the wait"
	return ctrl.Result{}, wait.PollUntilContextCancel(ctx, time.Second, true, r.Settled)
}

// HelperDetaches gives its undo to a helper that calls it with a context of its
// own.
type HelperDetaches struct {
	client.Client
	Settled wait.ConditionWithContextFunc
}

func onErrorDetached(ctx context.Context, err *error, undo func(ctx context.Context) error) {
	if *err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	_ = undo(ctx)
}

func (r *HelperDetaches) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	probe := new(corev1.Pod)
	defer onErrorDetached(ctx, &err, func(ctx context.Context) error { return r.Delete(ctx, probe) })
	return ctrl.Result{}, wait.PollUntilContextCancel(ctx, time.Second, true, r.Settled)
}

// UndoIsAFunctionValue keeps the method that undoes in a variable.
type UndoIsAFunctionValue struct {
	client.Client
	Settled wait.ConditionWithContextFunc
}

func (r *UndoIsAFunctionValue) release(ctx context.Context, name string) error {
	pod := new(corev1.Pod)
	pod.Name = name
	return r.Delete(ctx, pod)
}

func (r *UndoIsAFunctionValue) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	undo := r.release
	defer func() {
		if err != nil {
			_ = undo(ctx, req.Name) // want "deadcleanup: undo .Writer.Delete, .*rollout.go:.* has no effect once ctx has ended the wait"
		}
	}()
	return ctrl.Result{}, wait.PollUntilContextCancel(ctx, time.Second, true, r.Settled)
}

// ContextIsInAField keeps the context beside what is to be undone.
type ContextIsInAField struct {
	client.Client
	Settled wait.ConditionWithContextFunc
}

type undoing struct {
	ctx    context.Context
	client client.Client
	pod    client.Object
}

func (u *undoing) ifFailed(err *error) {
	if *err != nil {
		_ = u.client.Delete(u.ctx, u.pod)
	}
}

func (r *ContextIsInAField) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	u := &undoing{ctx: ctx, client: r.Client, pod: new(corev1.Pod)}
	defer u.ifFailed(&err) // want "deadcleanup: undoing.ifFailed .Writer.Delete, .*rollout.go:.* has no effect once ctx has ended the wait"
	return ctrl.Result{}, wait.PollUntilContextCancel(ctx, time.Second, true, r.Settled)
}

// DetachedContextIsInAField keeps a context that nobody cancels.
type DetachedContextIsInAField struct {
	client.Client
	Settled wait.ConditionWithContextFunc
}

func (r *DetachedContextIsInAField) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	u := &undoing{ctx: context.WithoutCancel(ctx), client: r.Client, pod: new(corev1.Pod)}
	defer u.ifFailed(&err)
	return ctrl.Result{}, wait.PollUntilContextCancel(ctx, time.Second, true, r.Settled)
}
