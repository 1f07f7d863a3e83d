// Package predicates retries while a predicate says so.
package predicates

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

var backoff = wait.Backoff{Steps: 300, Duration: 200 * time.Millisecond}

// RetryPredicateGivesUpWithContext retries errors only while its context is
// alive.
type RetryPredicateGivesUpWithContext struct {
	Join func(ctx context.Context, name string) error
}

func (r *RetryPredicateGivesUpWithContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retry.OnError(backoff, func(error) bool { return ctx.Err() == nil }, func() error {
		return r.Join(ctx, req.Name)
	})
	return ctrl.Result{}, err
}

var errStopped = errors.New("server is stopped")

var pauses = wait.Backoff{Steps: 100, Duration: 500 * time.Millisecond}

// RetryPredicateAsksAHelper asks the context in its predicates, in a local
// closure and by way of a helper, and pauses for less than a second in between.
type RetryPredicateAsksAHelper struct {
	Run func(name string) error
}

func (i *RetryPredicateAsksAHelper) Rewind(ctx context.Context) error {
	return retry.OnError(pauses, func(err error) bool {
		return shouldRetry(ctx, err)
	}, func() error { return i.Run("rewind") })
}

func (i *RetryPredicateAsksAHelper) Connect(ctx context.Context) error {
	retriable := func(err error) bool {
		if ctx.Err() != nil {
			return false
		}
		return !errors.Is(err, errStopped)
	}
	return retry.OnError(pauses, retriable, func() error { return i.Run("connect") })
}

func shouldRetry(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	return !errors.Is(err, errStopped)
}

// RetryOfCertainErrorsEndsByOthers retries live reads while the server says
// that something is forbidden, which it does not say about a done context. A
// predicate in a variable asks the context itself.
type RetryOfCertainErrorsEndsByOthers struct {
	Clientset kubernetes.Interface
}

func (r *RetryOfCertainErrorsEndsByOthers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	halfSeconds := wait.Backoff{Steps: 60, Duration: 500 * time.Millisecond}
	if err := retry.OnError(halfSeconds, apierrors.IsForbidden, func() error {
		_, err := r.Clientset.NetworkingV1().NetworkPolicies("").List(ctx, metav1.ListOptions{})
		return err
	}); err != nil {
		return ctrl.Result{}, err
	}
	whileAlive := func(error) bool { return ctx.Err() == nil }
	err := retry.OnError(halfSeconds, whileAlive, func() error {
		_, err := r.Clientset.NetworkingV1().Ingresses(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		return err
	})
	return ctrl.Result{}, err
}

var slowBackoff = wait.Backoff{Steps: 60, Duration: 2 * time.Second}

// RetryOnAnyError retries every error, that of its cancelled context included.
type RetryOnAnyError struct {
	Join func(ctx context.Context, name string) error
}

func (r *RetryOnAnyError) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := retry.OnError(slowBackoff, func(error) bool { return true }, func() error { // want "ctxloop: .*never observes"
		return r.Join(ctx, req.Name)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, retry.OnError(slowBackoff, isError, func() error { // want "ctxloop: .*never observes"
		return r.Join(ctx, req.Name+"-arbiter")
	})
}

func isError(err error) bool { return err != nil }
