// Package license retries requests with resty.
package license

import (
	"context"
	"net/http"
	"time"

	"github.com/go-resty/resty/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// HTTPRequestCarriesContext sets the context on each request, which ends the
// retries of resty v2 and interrupts their waits. The client was configured
// elsewhere.
type HTTPRequestCarriesContext struct {
	client *resty.Client
}

func New() *HTTPRequestCarriesContext {
	client := resty.New().
		SetRetryCount(20).
		SetRetryWaitTime(3 * time.Second).
		SetRetryMaxWaitTime(time.Minute).
		AddRetryCondition(func(resp *resty.Response, err error) bool { return err != nil || resp.IsError() })
	return &HTTPRequestCarriesContext{client: client}
}

func (r *HTTPRequestCarriesContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// HTTPClientWithoutRetries has a condition for retries and no number of them,
// so that its client tries once.
type HTTPClientWithoutRetries struct {
	URL string
}

func (r *HTTPClientWithoutRetries) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	_, err := resty.New().
		AddRetryCondition(func(resp *resty.Response, err error) bool {
			return resp.StatusCode() == http.StatusTooManyRequests
		}).
		R().
		Get(r.URL)
	return ctrl.Result{}, err
}

// HTTPClientRetriesWithoutContext sets a number of retries on its client, and
// no context on the request.
type HTTPClientRetriesWithoutContext struct {
	URL string
}

func (r *HTTPClientRetriesWithoutContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
