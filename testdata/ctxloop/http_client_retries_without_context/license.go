// Package license sets a number of retries on its client, and no context on the
// request.
package license

import (
	"context"
	"time"

	"github.com/go-resty/resty/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	URL string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	resp, err := resty.New().
		SetRetryCount(20). // want "ctxloop: .*never observes"
		SetRetryWaitTime(3*time.Second).
		SetRetryMaxWaitTime(time.Minute).
		R().
		SetQueryParam("cluster", req.Name).
		Get(r.URL)
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{Requeue: resp.IsError()}, nil
}
