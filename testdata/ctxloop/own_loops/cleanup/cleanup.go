// Package cleanup cleans up on contexts that live longer than the one of the
// reconciliation.
package cleanup

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

// CleanupHasItsOwnTimeLimit cleans up in a function of its own, which the
// context that ended the trial must not end, too.
type CleanupHasItsOwnTimeLimit struct {
	Run  func(ctx context.Context) error
	Gone func(ctx context.Context) bool
}

func (t *CleanupHasItsOwnTimeLimit) Do(ctx context.Context) error {
	err := t.Run(ctx)
	if cleanUpErr := t.cleanUp(); err == nil {
		err = cleanUpErr
	}
	return err
}

func (t *CleanupHasItsOwnTimeLimit) cleanUp() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return wait.PollUntilContextCancel(ctx, 2*time.Second, true, func(ctx context.Context) (bool, error) {
		return t.Gone(ctx), nil
	})
}

// DetachedContextOfCleanup cleans up after itself on contexts that are detached
// on purpose, since the one of the reconciliation may be what ended it.
type DetachedContextOfCleanup struct {
	Exclude  func(ctx context.Context, node string) error
	Include  func(ctx context.Context, node string) error
	Included func(ctx context.Context, node string) bool
}

func (r *DetachedContextOfCleanup) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.Exclude(ctx, req.Name); err != nil {
		return ctrl.Result{}, r.include(ctx, req.Name)
	}
	defer func() {
		cleanupCtx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		_ = wait.PollUntilContextCancel(cleanupCtx, 2*time.Second, true, func(ctx context.Context) (bool, error) {
			return r.Include(ctx, req.Name) == nil, nil
		})
	}()
	return ctrl.Result{}, nil
}

func (r *DetachedContextOfCleanup) include(ctx context.Context, node string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	for {
		if r.Included(ctx, node) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
}
