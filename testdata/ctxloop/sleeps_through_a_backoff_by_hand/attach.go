// Package attach walks through backoffs itself and sleeps what they say.
package attach

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Attach func(ctx context.Context, volume string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	steps := wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 0.1, Steps: 9}
	for steps.Steps > 0 { // want "ctxloop: .*never observes"
		if r.Attach(ctx, req.Name) == nil {
			return ctrl.Result{}, nil
		}
		time.Sleep(steps.Step())
	}
	return ctrl.Result{}, r.again(ctx, req.Name)
}

func (r *Reconciler) again(ctx context.Context, volume string) error {
	policy := backoff.NewExponentialBackOff()
	for { // want "ctxloop: .*never observes"
		if r.Attach(ctx, volume) == nil {
			return nil
		}
		next := policy.NextBackOff()
		if next == backoff.Stop {
			return errors.New("volume is not attached")
		}
		time.Sleep(next)
	}
}
