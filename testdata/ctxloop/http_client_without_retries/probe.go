// Package probe has a condition for retries and no number of them, so that its
// client tries once.
package probe

import (
	"context"
	"net/http"

	"github.com/go-resty/resty/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	URL string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	_, err := resty.New().
		AddRetryCondition(func(resp *resty.Response, err error) bool {
			return resp.StatusCode() == http.StatusTooManyRequests
		}).
		R().
		Get(r.URL)
	return ctrl.Result{}, err
}
