// Package exits leaves its loops in several ways.
package exits

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// LoopConditionObservesContext leaves its loops by their conditions: an error
// that a wait returned, a flag that the Done case sets, a question asked of a
// helper.
type LoopConditionObservesContext struct {
	Programmed func(name string) bool
}

func (r *LoopConditionObservesContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var err error
	for err == nil && !r.Programmed(req.Name) {
		err = pause(ctx, 10*time.Second)
	}
	if err != nil {
		return ctrl.Result{}, err
	}

	stopped := false
	for !stopped && !r.Programmed(req.Name) {
		select {
		case <-ctx.Done():
			stopped = true
		case <-time.After(10 * time.Second):
		}
	}

	for alive(ctx) && !r.Programmed(req.Name) {
		time.Sleep(time.Second)
	}
	return ctrl.Result{}, ctx.Err()
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func alive(ctx context.Context) bool {
	return ctx.Err() == nil
}

var errUnknown = errors.New("unknown")

// CounterIsSetToEndTheLoop tries ten times with pauses that its context ends,
// and sets the counter to its limit when it is done: once cancelled, it is soon
// at the end.
type CounterIsSetToEndTheLoop struct {
	Label func(name string) error
}

func (r *CounterIsSetToEndTheLoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	const limit = 10
	for i := 0; i < limit; i++ {
		switch r.Label(req.Name) {
		case nil, errUnknown:
			i = limit
		default:
			pauseOrDone(ctx, 5*time.Second)
		}
	}
	return ctrl.Result{}, nil
}

func pauseOrDone(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(d):
		return false
	}
}

// InnerLoopEndsAndOuterGoesOn notices cancellation in its inner loop, which it
// leaves, and then begins the next round of the outer one.
type InnerLoopEndsAndOuterGoesOn struct {
	Pending func(cluster string) []string
	Moved   func(shard string) bool
}

func (r *InnerLoopEndsAndOuterGoesOn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for len(r.Pending(req.Name)) > 0 { // want "ctxloop: .*never observes"
		for _, shard := range r.Pending(req.Name) {
			if ctx.Err() != nil {
				break
			}
			if r.Moved(shard) {
				continue
			}
		}
		time.Sleep(30 * time.Second)
	}
	return ctrl.Result{}, nil
}
