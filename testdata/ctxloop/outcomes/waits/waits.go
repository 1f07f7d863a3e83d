// Package waits returns from waits that were interrupted.
package waits

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

// InterruptedWaitIsAnError says that its waits were interrupted, in several
// ways. A wait that only paces an endless loop has nothing to say.
type InterruptedWaitIsAnError struct {
	Shards func(node string) int
}

func (d *InterruptedWaitIsAnError) Empty(ctx context.Context, node string) error {
	for ctx.Err() == nil {
		if d.Shards(node) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	return fmt.Errorf("drain of %s interrupted: %w", node, context.Cause(ctx))
}

func (d *InterruptedWaitIsAnError) Poll(ctx context.Context, node string) error {
	err := wait.PollUntilContextCancel(ctx, 10*time.Second, true, func(context.Context) (bool, error) {
		return d.Shards(node) == 0, nil
	})
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("drain of %s interrupted: %w", node, err)
	}
	return err
}

func (d *InterruptedWaitIsAnError) Watch(ctx context.Context, node string, changed func(int)) error {
	for {
		changed(d.Shards(node))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
	}
}

// ConditionIsCheckedAfterTheWait leaves its waits on cancellation as on
// success, and then looks at what it waited for: an interrupted wait is told by
// that.
type ConditionIsCheckedAfterTheWait struct {
	Drained func(node string) bool
	Remove  func(node string) error
}

func (r *ConditionIsCheckedAfterTheWait) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Remove(req.Name)
}

func (r *ConditionIsCheckedAfterTheWait) drain(ctx context.Context, node string) error {
loop:
	for !r.Drained(node) {
		select {
		case <-ctx.Done():
			break loop
		case <-time.After(5 * time.Second):
		}
	}
	if !r.Drained(node) {
		return fmt.Errorf("node %s is not drained", node)
	}
	return nil
}

// WorkerEndsWithoutError has endless work that its context ends, or its owner,
// or the end of its input. None of them is a failure, and nobody waits for a
// result.
type WorkerEndsWithoutError struct {
	stop  chan struct{}
	input chan string
	fail  chan error
	work  func(item string) error
}

// Start works until it is stopped.
func (w *WorkerEndsWithoutError) Start(ctx context.Context) error {
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.stop:
			return nil
		case item, ok := <-w.input:
			if !ok {
				return nil
			}
			if err := w.work(item); err != nil {
				return err
			}
		case <-ticker.C:
			if err := w.work(""); err != nil {
				return err
			}
		}
	}
}

// Serve works until something fails.
func (w *WorkerEndsWithoutError) Serve(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-w.fail:
			return err
		case <-time.After(time.Minute):
			if err := w.work(""); err != nil {
				return err
			}
		}
	}
}

// Sweep works until it is stopped, whatever comes of the work.
func (w *WorkerEndsWithoutError) Sweep(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.stop:
			return nil
		case <-time.After(time.Minute):
			_ = w.work("")
		}
	}
}

// Stop ends Start and Sweep.
func (w *WorkerEndsWithoutError) Stop() {
	close(w.stop)
}

// InterruptedWaitLooksLikeSuccess notices that it is cancelled and then returns
// what it returns after success, so that its caller goes on to remove a node
// full of data.
type InterruptedWaitLooksLikeSuccess struct {
	Shards func(node string) int
	Remove func(node string) error
}

func (r *InterruptedWaitLooksLikeSuccess) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.settle(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Remove(req.Name)
}

func (r *InterruptedWaitLooksLikeSuccess) drain(ctx context.Context, node string) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil // want "ctxloop: .*looks like success"
		case <-ticker.C:
			if r.Shards(node) == 0 {
				return nil
			}
		}
	}
}

func (r *InterruptedWaitLooksLikeSuccess) settle(ctx context.Context, node string) error {
	for ctx.Err() == nil {
		if r.Shards(node) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
	return nil // want "ctxloop: .*looks like success"
}

// BareReturnOfInterruptedWait returns its named error as it is when the context
// is done, and it is nil then.
type BareReturnOfInterruptedWait struct {
	Settled func(name string) bool
	Next    func(name string) error
}

func (r *BareReturnOfInterruptedWait) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.settle(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Next(req.Name)
}

func (r *BareReturnOfInterruptedWait) settle(ctx context.Context, name string) (err error) {
	for {
		if r.Settled(name) {
			return nil
		}
		select {
		case <-ctx.Done():
			return // want "ctxloop: .*looks like success"
		case <-time.After(5 * time.Second):
		}
	}
}

// InterruptedDeletionLooksLikeSuccess waits until its node is gone, and takes a
// cancelled context for that.
type InterruptedDeletionLooksLikeSuccess struct {
	Get  func(ctx context.Context, name string) error
	Free func(name string) error
}

func (r *InterruptedDeletionLooksLikeSuccess) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.gone(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Free(req.Name)
}

func (r *InterruptedDeletionLooksLikeSuccess) gone(ctx context.Context, name string) error {
	for {
		if err := r.Get(ctx, name); err != nil {
			if apierrors.IsNotFound(err) {
				return nil
			}
			return err
		}
		select {
		case <-ctx.Done():
			return nil // want "ctxloop: .*looks like success"
		case <-time.After(5 * time.Second):
		}
	}
}

// SessionBeginsAnew returns without an error when it is cancelled and when its
// session has expired. Both mean that its caller begins anew.
type SessionBeginsAnew struct {
	Next func() error
}

var errExpired = errors.New("expired")

func (s *SessionBeginsAnew) Serve(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
		if err := s.Next(); errors.Is(err, errExpired) {
			return nil
		}
	}
}
