// Package backup reports progress from a goroutine that the function which
// starts it also ends.
package backup

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Backup func(ctx context.Context, name string, progress chan<- int) error
	Report func(name string, items int)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	progress := make(chan int)
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		ticker := time.NewTicker(10 * time.Second)
		defer ticker.Stop()
		items := 0
		for {
			select {
			case <-quit:
				return
			case items = <-progress:
			case <-ticker.C:
				r.Report(req.Name, items)
			}
		}
	}()
	return ctrl.Result{}, r.Backup(ctx, req.Name, progress)
}
