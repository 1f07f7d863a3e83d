// Package upgrade takes back what it did after a wait that may fail.
package upgrade

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// UndoIsAlsoMadeWhereTheWaitFails uncordons the node in both cases.
type UndoIsAlsoMadeWhereTheWaitFails struct {
	client.Client
	Upgraded func(ctx context.Context, node string) (bool, error)
}

func (u *UndoIsAlsoMadeWhereTheWaitFails) Upgrade(ctx context.Context, node *corev1.Node) error {
	if err := u.cordon(ctx, node); err != nil {
		return err
	}
	err := wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return u.Upgraded(ctx, node.Name)
	})
	if err != nil {
		return errors.Join(err, u.uncordon(context.WithoutCancel(ctx), node))
	}
	return u.uncordon(ctx, node)
}

func (u *UndoIsAlsoMadeWhereTheWaitFails) cordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = true
	return u.Update(ctx, node)
}

func (u *UndoIsAlsoMadeWhereTheWaitFails) uncordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = false
	return u.Update(ctx, node)
}

// UndoFollowsTheWaitInAnyCase uncordons the node on a context of its own,
// whatever came of the wait.
type UndoFollowsTheWaitInAnyCase struct {
	client.Client
	Upgraded func(ctx context.Context, node string) (bool, error)
}

func (u *UndoFollowsTheWaitInAnyCase) Upgrade(ctx context.Context, node *corev1.Node) error {
	if err := u.cordon(ctx, node); err != nil {
		return err
	}
	waitErr := wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return u.Upgraded(ctx, node.Name)
	})
	return errors.Join(waitErr, u.uncordon(context.WithoutCancel(ctx), node))
}

func (u *UndoFollowsTheWaitInAnyCase) cordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = true
	return u.Update(ctx, node)
}

func (u *UndoFollowsTheWaitInAnyCase) uncordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = false
	return u.Update(ctx, node)
}

// WhatFollowsAWaitIsTheNextStep goes on after its waits: the later writes take
// nothing back.
type WhatFollowsAWaitIsTheNextStep struct {
	client.Client
	Upgraded func(ctx context.Context) (bool, error)
}

func (u *WhatFollowsAWaitIsTheNextStep) Upgrade(ctx context.Context, node *corev1.Node, pods []client.Object) error {
	node.Labels["step"] = "one"
	if err := u.Update(ctx, node); err != nil {
		return err
	}
	if err := wait.PollUntilContextCancel(ctx, 5*time.Second, true, u.Upgraded); err != nil {
		return err
	}
	for _, pod := range pods {
		if err := u.Delete(ctx, pod); err != nil {
			return err
		}
	}
	node.Labels["step"] = "two"
	return u.Update(ctx, node)
}

// MarksAreStateBetweenReconciles marks a node in one reconcile and takes the
// mark off in a later one: it comes back instead of waiting.
type MarksAreStateBetweenReconciles struct {
	client.Client
	Upgraded func(node *corev1.Node) bool
}

func (r *MarksAreStateBetweenReconciles) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !node.Spec.Unschedulable {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, r.cordon(ctx, node)
	}
	if !r.Upgraded(node) {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	return ctrl.Result{}, r.uncordon(ctx, node)
}

func (r *MarksAreStateBetweenReconciles) cordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = true
	return r.Update(ctx, node)
}

func (r *MarksAreStateBetweenReconciles) uncordon(ctx context.Context, node *corev1.Node) error {
	node.Spec.Unschedulable = false
	return r.Update(ctx, node)
}

// UndoIsLostWhenTheWaitFails uncordons the node only if the upgrade comes to
// its end.
type UndoIsLostWhenTheWaitFails struct {
	client.Client
	Upgraded func(ctx context.Context, node string) (bool, error)
}

func (u *UndoIsLostWhenTheWaitFails) Upgrade(ctx context.Context, node *corev1.Node) error {
	if err := u.cordon(ctx, node); err != nil { // want "deadcleanup: UndoIsLostWhenTheWaitFails.cordon is taken back by UndoIsLostWhenTheWaitFails.uncordon ..*upgrade.go:.*. only after a wait ..*upgrade.go:.*.; where ctx ends that wait, it stays"
		return err
	}
	if err := u.waitFor(ctx, node); err != nil {
		return err
	}
	return u.uncordon(ctx, node)
}

func (u *UndoIsLostWhenTheWaitFails) cordon(ctx context.Context, node *corev1.Node) error {
	return u.set(ctx, node, true)
}

func (u *UndoIsLostWhenTheWaitFails) uncordon(ctx context.Context, node *corev1.Node) error {
	return u.set(ctx, node, false)
}

func (u *UndoIsLostWhenTheWaitFails) set(ctx context.Context, node *corev1.Node, unschedulable bool) error {
	node.Spec.Unschedulable = unschedulable
	return u.Update(ctx, node)
}

func (u *UndoIsLostWhenTheWaitFails) waitFor(ctx context.Context, node *corev1.Node) error {
	return wait.PollUntilContextCancel(ctx, 5*time.Second, true, func(ctx context.Context) (bool, error) {
		return u.Upgraded(ctx, node.Name)
	})
}

// UndoWithOppositeConstantIsLost switches the rebalancing off while it drains a
// node, and never on again if that is cut short.
type UndoWithOppositeConstantIsLost struct {
	HTTP     *http.Client
	Endpoint string
	Empty    func(ctx context.Context, node string) bool
}

func (s *UndoWithOppositeConstantIsLost) Drain(ctx context.Context, node string) error {
	if err := s.setRebalance(ctx, false); err != nil { // want "deadcleanup: UndoWithOppositeConstantIsLost.setRebalance is taken back by UndoWithOppositeConstantIsLost.setRebalance ..*upgrade.go:.*. only after a wait"
		return err
	}
	if err := s.waitUntilEmpty(ctx, node); err != nil {
		return err
	}
	return s.setRebalance(ctx, true)
}

func (s *UndoWithOppositeConstantIsLost) setRebalance(ctx context.Context, on bool) error {
	value := "none"
	if on {
		value = "all"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, s.Endpoint+"/settings", strings.NewReader(value))
	if err != nil {
		return err
	}
	response, err := s.HTTP.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

func (s *UndoWithOppositeConstantIsLost) waitUntilEmpty(ctx context.Context, node string) error {
	for !s.Empty(ctx, node) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Second):
		}
	}
	return nil
}
