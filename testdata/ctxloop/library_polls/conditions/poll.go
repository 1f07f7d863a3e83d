// Package poll polls without a context for conditions that may notice that one
// is done.
package poll

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// PollWhoseConditionGivesUpSoon polls without a context, every half second, for
// a condition that fails once the context is done.
type PollWhoseConditionGivesUpSoon struct {
	Restored func(name string) bool
}

func (r *PollWhoseConditionGivesUpSoon) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := wait.PollImmediate(500*time.Millisecond, time.Hour, func() (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return r.Restored(req.Name), nil
	})
	return ctrl.Result{}, err
}

// PollWhoseConditionGivesUpLate has a condition that gives up once the context
// is done, and an interval of a minute before the condition is asked again.
type PollWhoseConditionGivesUpLate struct {
	Restored func(name string) bool
}

func (r *PollWhoseConditionGivesUpLate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := wait.PollImmediate(time.Minute, time.Hour, func() (bool, error) { // want "ctxloop: .*only after"
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return r.Restored(req.Name), nil
	})
	return ctrl.Result{}, err
}

// ConditionIsBuiltElsewhere polls without a context for a condition that a
// builder returns.
type ConditionIsBuiltElsewhere struct {
	client.Client
}

func (r *ConditionIsBuiltElsewhere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	condition := r.podGone(ctx, req.NamespacedName)
	err := wait.PollImmediate(5*time.Second, 10*time.Minute, condition) // want "ctxloop: .*never observes"
	return ctrl.Result{}, err
}

func (r *ConditionIsBuiltElsewhere) podGone(ctx context.Context, key client.ObjectKey) wait.ConditionFunc {
	return func() (bool, error) {
		err := r.Get(ctx, key, &corev1.Pod{})
		return apierrors.IsNotFound(err), nil
	}
}
