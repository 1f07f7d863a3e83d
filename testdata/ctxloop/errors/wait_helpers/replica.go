// Package replica waits by helpers that say whether they were interrupted.
package replica

import (
	"context"
	"log"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// SleepHelperTellsWhetherToGoOn waits with helpers of its own that notice
// cancellation, and leaves its loops when they say so, by an error or by a
// bool.
type SleepHelperTellsWhetherToGoOn struct {
	Lag func(name string) int
}

func (r *SleepHelperTellsWhetherToGoOn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Lag(req.Name) > 0 {
		if err := pause(ctx, 5*time.Second); err != nil {
			return ctrl.Result{}, err
		}
	}
	for r.Lag(req.Name) > 0 {
		if !sleep(ctx, 5*time.Second) {
			return ctrl.Result{}, ctx.Err()
		}
	}
	for sleep(ctx, time.Minute) {
		if r.Lag(req.Name) == 0 {
			return ctrl.Result{}, nil
		}
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

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// CalleeReportsCancellationButLoopContinues waits with a helper that notices
// cancellation and says so, and goes on all the same.
type CalleeReportsCancellationButLoopContinues struct {
	Lag func(name string) int
}

func (r *CalleeReportsCancellationButLoopContinues) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for r.Lag(req.Name) > 0 { // want "ctxloop: .*never observes"
		if err := pauseWithTimer(ctx, 5*time.Second); err != nil {
			log.Printf("replica %s: %v", req.Name, err)
			continue
		}
	}
	for r.Lag(req.Name) > 0 { // want "ctxloop: .*never observes"
		_ = pauseWithTimer(ctx, 5*time.Second)
	}
	return ctrl.Result{}, nil
}

func pauseWithTimer(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
