// Package polls makes something of the error of a cancelled poll.
package polls

import (
	"context"
	"errors"
	"log"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
)

// LastErrorIsKeptAndPollErrorDropped drops the error of its poll and returns
// the one of the last try: a done context leaves that one behind.
type LastErrorIsKeptAndPollErrorDropped struct {
	Fetch func(ctx context.Context, name string) error
}

func (r *LastErrorIsKeptAndPollErrorDropped) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var last error
	_ = wait.PollUntilContextTimeout(ctx, 10*time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		last = r.Fetch(ctx, req.Name)
		return last == nil, nil
	})
	if last != nil {
		return ctrl.Result{}, last
	}
	return ctrl.Result{}, nil
}

// PollNeverSucceeds polls for as long as its context lives: the condition is
// never true, so there is no success that its end could be confused with.
type PollNeverSucceeds struct {
	Synced cache.InformerSynced
	Ensure func(ctx context.Context) error
}

func (a *PollNeverSucceeds) Run(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), a.Synced) {
		if ctx.Err() != nil {
			return nil
		}
		return errors.New("cache does not sync")
	}
	err := wait.PollUntilContextCancel(ctx, 10*time.Second, true, func(ctx context.Context) (bool, error) {
		if err := a.Ensure(ctx); err != nil {
			log.Print(err)
		}
		return false, nil
	})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	return nil
}

// CancelledPollLooksLikeSuccess takes the error of a cancelled poll for no
// error, and its caller takes that for a finished backup.
type CancelledPollLooksLikeSuccess struct {
	Finished func(name string) (bool, error)
	Delete   func(name string) error
}

func (r *CancelledPollLooksLikeSuccess) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.await(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Delete(req.Name)
}

func (r *CancelledPollLooksLikeSuccess) await(ctx context.Context, name string) error {
	err := wait.PollUntilContextCancel(ctx, 10*time.Second, true, func(context.Context) (bool, error) {
		return r.Finished(name)
	})
	if errors.Is(err, context.Canceled) {
		return nil // want "ctxloop: .*looks like success"
	}
	return err
}
