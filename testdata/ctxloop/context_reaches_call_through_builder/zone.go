// Package zone sets the context on a request that it builds, as the clients of
// clouds want it, and leaves the loop when the request fails.
package zone

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// Call is a request to the cloud.
type Call interface {
	Context(ctx context.Context) Call
	Do() (status string, err error)
}

type Reconciler struct {
	Change func(zone string) Call
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	status := "pending"
	for status == "pending" {
		time.Sleep(time.Second)
		var err error
		status, err = r.Change(req.Name).Context(ctx).Do()
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
