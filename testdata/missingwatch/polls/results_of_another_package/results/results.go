// Package results makes what reconcilers return.
package results

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Done is the end of the work.
func Done() (reconcile.Result, error) {
	return reconcile.Result{}, nil
}

// Again asks for the next reconcile.
func Again(ctx context.Context, d time.Duration) (reconcile.Result, error) {
	log.FromContext(ctx).V(1).Info("again", "after", d.String())
	return reconcile.Result{Requeue: true, RequeueAfter: d}, nil
}

// Fail reports an error.
func Fail(ctx context.Context, err error) (reconcile.Result, error) {
	log.FromContext(ctx).Error(err, "failed")
	return reconcile.Result{}, err
}

// FailUnlessGone reports an error, unless it says that something is not there.
func FailUnlessGone(ctx context.Context, err error) (reconcile.Result, error) {
	if apierrors.IsNotFound(err) {
		return Done()
	}
	return Fail(ctx, err)
}

// Unless asks for the next reconcile as long as the work is not done.
func Unless(done bool) (reconcile.Result, error) {
	if done {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{RequeueAfter: 5 * time.Second}, nil
}
