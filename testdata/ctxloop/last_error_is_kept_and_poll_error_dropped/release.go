// Package release drops the error of its poll and returns the one of the last
// try: a done context leaves that one behind.
package release

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Fetch func(ctx context.Context, name string) error
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
