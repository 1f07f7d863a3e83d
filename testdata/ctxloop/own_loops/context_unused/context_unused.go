// Package contextunused has a context, or something of that name, and waits
// without it.
package contextunused

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// ContextOnlyFeedsTheLogger asks its context for a logger and for nothing else.
type ContextOnlyFeedsTheLogger struct {
	Members func(name string) int
}

func (r *ContextOnlyFeedsTheLogger) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*never observes"
		n := r.Members(req.Name)
		if n >= 2 {
			return ctrl.Result{}, nil
		}
		log.FromContext(ctx).Info("no quorum yet", "members", n)
		time.Sleep(10 * time.Second)
	}
}

// SyncContext is what one synchronisation knows.
type SyncContext struct {
	Name string
	Done bool
}

// ParameterNamedContextIsNone names a parameter context that is none. The real
// one stays in Reconcile.
type ParameterNamedContextIsNone struct {
	Probe func(name string) bool
}

func (r *ParameterNamedContextIsNone) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.sync(&SyncContext{Name: req.Name})
	return ctrl.Result{}, nil
}

func (r *ParameterNamedContextIsNone) sync(context *SyncContext) {
	for !context.Done { // want "ctxloop: .*never observes"
		context.Done = r.Probe(context.Name)
		time.Sleep(10 * time.Second)
	}
}

// HelperAllowsForANilContext asks whether its context is done by a helper that
// also takes nil for a context: a context that is done is not nil.
type HelperAllowsForANilContext struct {
	Balanced func(cluster string) (bool, error)
}

func (r *HelperAllowsForANilContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for attempt := 0; attempt < 50; attempt++ {
		done, err := r.balanced(ctx, req.Name)
		if err == nil && done {
			break
		}
		time.Sleep(time.Second)
	}
	for { // want "ctxloop: .*only after"
		if cancelled(ctx) {
			return ctrl.Result{}, ctx.Err()
		}
		if done, _ := r.Balanced(req.Name); done {
			return ctrl.Result{}, nil
		}
		time.Sleep(15 * time.Second)
	}
}

func (r *HelperAllowsForANilContext) balanced(ctx context.Context, cluster string) (bool, error) {
	if cancelled(ctx) {
		return true, nil
	}
	return r.Balanced(cluster)
}

func cancelled(ctx context.Context) bool {
	if ctx == nil {
		return false
	}
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// DoneIsCalledAndNotReceived calls Done and makes nothing of the channel.
type DoneIsCalledAndNotReceived struct {
	Interval time.Duration
	Lines    func() (n int, err error)
}

func (f *DoneIsCalledAndNotReceived) Follow(ctx context.Context) error {
	defer ctx.Done()
	for { // want "ctxloop: .*never observes"
		if _, err := f.Lines(); err != nil {
			return err
		}
		time.Sleep(f.Interval)
	}
}

// DoneOfAnotherContext waits for the end of a context that is not the one of
// the reconciliation.
type DoneOfAnotherContext struct {
	Version func(ctx context.Context, name string) (string, error)
	Target  string
}

func (r *DoneOfAnotherContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.await(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitLong(ctx, req.Name)
}

func (r *DoneOfAnotherContext) await(ctx context.Context, name string) error {
	waitCtx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	for { // want "ctxloop: .*never observes"
		if v, err := r.Version(waitCtx, name); err == nil && v == r.Target {
			return nil
		}
		select {
		case <-waitCtx.Done():
			return errors.New("upgrade takes too long")
		case <-time.After(10 * time.Second):
		}
	}
}

func (r *DoneOfAnotherContext) awaitLong(_ context.Context, name string) error {
	ctx := context.Background()
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for { // want "ctxloop: .*never observes"
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			if v, err := r.Version(ctx, name); err == nil && v == r.Target {
				return nil
			}
		}
	}
}
