// Package license sets the context on each request, which ends the retries of
// resty v2 and interrupts their waits. The client was configured elsewhere.
package license

import (
	"context"
	"time"

	"github.com/go-resty/resty/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	client *resty.Client
}

func New() *Reconciler {
	client := resty.New().
		SetRetryCount(20).
		SetRetryWaitTime(3 * time.Second).
		SetRetryMaxWaitTime(time.Minute).
		AddRetryCondition(func(resp *resty.Response, err error) bool { return err != nil || resp.IsError() })
	return &Reconciler{client: client}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if _, err := r.client.R().SetContext(ctx).Get("/license/" + req.Name); err != nil {
		return ctrl.Result{}, err
	}
	_, err := resty.New().
		SetRetryCount(20).
		SetRetryWaitTime(3*time.Second).
		R().
		SetContext(ctx).
		SetQueryParam("cluster", req.Name).
		Get("/usage")
	return ctrl.Result{}, err
}
