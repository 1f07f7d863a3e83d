// Package volumes looks at its context between sleeps.
package volumes

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// ContextCheckedBetweenShortSleeps looks at its context once a round and sleeps
// a second at most: a delay that nobody minds.
type ContextCheckedBetweenShortSleeps struct {
	Attached func(volume string) bool
}

func (r *ContextCheckedBetweenShortSleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for ctx.Err() == nil && !r.Attached(req.Name) {
		time.Sleep(time.Second)
	}
	if err := ctx.Err(); err != nil {
		return ctrl.Result{}, err
	}
	for ; r.Attached(req.Name); <-time.After(500 * time.Millisecond) {
		if err := ctx.Err(); err != nil {
			return ctrl.Result{}, err
		}
	}
	for r.Attached(req.Name) {
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		default:
			time.Sleep(200 * time.Millisecond)
		}
	}
	return ctrl.Result{}, nil
}

type Cloud interface {
	Attached(volume string) bool
}

// ContextCheckedBetweenLongSleeps looks at its context once a round, and sleeps
// half a minute in between.
type ContextCheckedBetweenLongSleeps struct {
	Cloud Cloud
}

func (r *ContextCheckedBetweenLongSleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.awaitAttached(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitDetached(ctx, req.Name)
}

func (r *ContextCheckedBetweenLongSleeps) awaitAttached(ctx context.Context, volume string) error {
	for ctx.Err() == nil { // want "ctxloop: .*only after"
		if r.Cloud.Attached(volume) {
			return nil
		}
		time.Sleep(30 * time.Second)
	}
	return ctx.Err()
}

func (r *ContextCheckedBetweenLongSleeps) awaitDetached(ctx context.Context, volume string) error {
	for r.Cloud.Attached(volume) { // want "ctxloop: .*only after"
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(time.Minute)
	}
	return nil
}
