// Package oneround has waits in and around loops that go round but once.
package oneround

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	ctrl "sigs.k8s.io/controller-runtime"
)

// LoopBodyRunsOnce has waits in and around loops, none of which is a round of
// one.
type LoopBodyRunsOnce struct {
	Steps []func(ctx context.Context) error
	Ready func() bool
}

func (r *LoopBodyRunsOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		if !r.Ready() {
			time.Sleep(10 * time.Second)
		}
		break
	}
	for _, step := range r.Steps {
		if err := step(ctx); err != nil {
			time.Sleep(5 * time.Second)
			return ctrl.Result{}, err
		}
	}
	time.Sleep(2 * time.Second)
	for range 3 {
		if r.Ready() {
			return ctrl.Result{}, nil
		}
		time.AfterFunc(time.Minute, func() { r.Ready() })
	}
	return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
}

// LoopEndsAfterItsOnlySleep sleeps in loops only where it leaves them
// afterwards, and in defers and goroutines that run once.
type LoopEndsAfterItsOnlySleep struct {
	Pods  func(cluster string) []string
	Patch func(pod string) (changed bool, err error)
	Drop  func(mapping string)
}

func (r *LoopEndsAfterItsOnlySleep) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for _, pod := range r.Pods(req.Name) {
		changed, err := r.Patch(pod)
		if err != nil {
			continue
		}
		if changed {
			time.Sleep(12 * time.Second)
			break
		}
	}
	for _, pod := range r.Pods(req.Name) {
		go func() {
			time.Sleep(5 * time.Second)
			r.Drop(pod)
		}()
	}
	defer func() {
		time.Sleep(5 * time.Second)
		r.Drop(req.Name)
	}()
	return ctrl.Result{}, ctx.Err()
}

// LoopStartsGoroutinesThatSleepOnce starts goroutines in its loops, each of
// which waits once: the loops themselves do not wait.
type LoopStartsGoroutinesThatSleepOnce struct {
	Nodes  func(cluster string) []string
	Notify func(node string)
}

func (r *LoopStartsGoroutinesThatSleepOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for i, node := range r.Nodes(req.Name) {
		go func() {
			time.Sleep(time.Duration(i) * time.Second)
			r.Notify(node)
		}()
	}
	var wg sync.WaitGroup
	for _, node := range r.Nodes(req.Name) {
		wg.Go(func() { r.later(node) })
	}
	wg.Wait()
	var g errgroup.Group
	for _, node := range r.Nodes(req.Name) {
		g.Go(func() error {
			<-time.After(2 * time.Second)
			r.Notify(node)
			return nil
		})
	}
	return ctrl.Result{}, g.Wait()
}

func (r *LoopStartsGoroutinesThatSleepOnce) later(node string) {
	time.Sleep(3 * time.Second)
	r.Notify(node)
}

// RequeueInsteadOfWait does not wait at all: it asks to be called again.
type RequeueInsteadOfWait struct {
	Done func(ctx context.Context, name string) (bool, error)
}

func (r *RequeueInsteadOfWait) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for _, name := range []string{req.Name, req.Name + "-index"} {
		done, err := r.Done(ctx, name)
		if err != nil {
			return ctrl.Result{}, err
		}
		if !done {
			return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
		}
	}
	return ctrl.Result{}, nil
}
