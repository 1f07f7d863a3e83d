// Package propagation waits until some time within the next second: by a
// deadline, by a timer that ends the loop, with pauses that grow a little.
package propagation

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

var errLate = errors.New("label is not there")

type Reconciler struct {
	Labelled func(name string) bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	deadline := time.Now().Add(500 * time.Millisecond)
	for time.Now().Before(deadline) && !r.Labelled(req.Name) {
		time.Sleep(50 * time.Millisecond)
	}
	start := time.Now()
	for time.Since(start) < time.Second && !r.Labelled(req.Name) {
		time.Sleep(50 * time.Millisecond)
	}
	if err := r.growing(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.timer(ctx, req.Name)
}

func (r *Reconciler) growing(_ context.Context, name string) error {
	pause := 10 * time.Millisecond
	for i := 0; i < 5; i++ {
		if r.Labelled(name) {
			return nil
		}
		time.Sleep(pause)
		pause *= 2
	}
	steps := wait.Backoff{Steps: 4, Duration: 50 * time.Millisecond, Factor: 2}
	for steps.Steps > 0 {
		if r.Labelled(name) {
			return nil
		}
		time.Sleep(steps.Step())
	}
	return errLate
}

func (r *Reconciler) timer(_ context.Context, name string) error {
	timeout := time.After(time.Second)
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-timeout:
			return errLate
		case <-ticker.C:
			if r.Labelled(name) {
				return nil
			}
		}
	}
}
