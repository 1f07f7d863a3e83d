// Package backup retries while the error speaks of another operation, which
// the error of a done context does not. Until then it sleeps for minutes.
package backup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
)

var minutes = wait.Backoff{Steps: 13, Duration: time.Second, Factor: 2, Cap: 15 * time.Minute}

var seconds = wait.Backoff{Steps: 10, Duration: time.Second}

// Executor runs a command in a pod.
type Executor interface {
	Exec(ctx context.Context, pod, command string) error
}

type Reconciler struct {
	Executor Executor
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	busy := func(err error) bool { return strings.Contains(err.Error(), "another operation") }
	if err := retry.OnError(minutes, busy, func() error { // want "ctxloop: .*only after"
		return r.disable(ctx, req.Name)
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, retry.OnError(seconds, busy, func() error {
		return r.disable(ctx, req.Name)
	})
}

func (r *Reconciler) disable(ctx context.Context, pod string) error {
	if pod == "" {
		return fmt.Errorf("no pod")
	}
	if err := r.Executor.Exec(ctx, pod, "config --set enabled=false"); err != nil {
		return fmt.Errorf("disable on %s: %w", pod, err)
	}
	return nil
}
