// Package scalein waits in a group of another package, and undoes on the context
// of that wait.
package scalein

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/deadcleanup/callees/wait_of_another_package_is_interrupted/drain"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	Drainer *drain.Drainer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	victims := []string{req.Name}
	defer func() {
		if err == nil {
			return
		}
		if err := r.Drainer.Release(ctx, victims); err != nil { // want "deadcleanup: Drainer.Release .Writer.Patch, .*drain.go:.*. has no effect once ctx has ended the wait at .*scalein.go:.*"
			log.FromContext(ctx).Error(err, "Not all were told to stay")
		}
	}()
	if err := r.Drainer.Mark(ctx, victims); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Drainer.Drain(ctx, victims, time.Minute)
}
