// Package closures waits for what closures and callbacks say.
package closures

import (
	"context"
	"fmt"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ConditionIsANamedClosure keeps what it waits for in a closure, apart from the
// loop.
type ConditionIsANamedClosure struct {
	client.Client
}

func (r *ConditionIsANamedClosure) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	promoted := func() bool {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return false
		}
		return thing.Status.Phase == "Primary"
	}
	for !promoted() { // want "ctxloop: .*never observes"
		time.Sleep(2 * time.Second)
	}

	pause := func() { time.Sleep(10 * time.Second) }
	for range 6 { // want "ctxloop: .*never observes"
		if promoted() {
			break
		}
		pause()
	}
	return ctrl.Result{}, nil
}

type options struct {
	attempts int
	delay    time.Duration
	factor   float64
}

// OwnRetryHelperWithoutContext has a retry helper of its own, whose loop knows
// the caller's context only through the callback, and retries that callback's
// errors.
type OwnRetryHelperWithoutContext struct {
	Ping func(ctx context.Context, name string) error
}

func (r *OwnRetryHelperWithoutContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retryWithBackoff(options{attempts: 8, delay: time.Second, factor: 2}, func() error {
		return r.Ping(ctx, req.Name)
	})
	return ctrl.Result{}, err
}

func retryWithBackoff(o options, f func() error) error {
	var err error
	for i := 0; i < o.attempts; i++ { // want "ctxloop: .*never observes"
		if err = f(); err == nil {
			return nil
		}
		time.Sleep(o.delay)
		o.delay = time.Duration(float64(o.delay) * o.factor)
	}
	return fmt.Errorf("after %d attempts: %w", o.attempts, err)
}
