// Package drain lets the condition give up when the context is done, and then
// says that it was interrupted.
package drain

import (
	"context"
	"encoding/json"
	"time"

	resty2 "github.com/go-resty/resty/v2"
	resty1 "gopkg.in/resty.v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Endpoint string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.drainAgain(ctx)
}

func (r *Reconciler) drain(ctx context.Context) error {
	_, err := resty1.New().
		SetRetryCount(999).
		SetRetryWaitTime(500 * time.Millisecond).
		SetRetryMaxWaitTime(time.Second).
		AddRetryCondition(func(resp *resty1.Response) (bool, error) {
			if ctx.Err() != nil {
				return false, nil
			}
			var shards []string
			if err := json.Unmarshal(resp.Body(), &shards); err != nil {
				return true, nil
			}
			return len(shards) > 0, nil
		}).
		R().
		Get(r.Endpoint)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

func (r *Reconciler) drainAgain(ctx context.Context) error {
	_, err := resty2.New().
		SetRetryCount(999).
		SetRetryWaitTime(500 * time.Millisecond).
		SetRetryMaxWaitTime(time.Second).
		AddRetryCondition(func(resp *resty2.Response, err error) bool {
			select {
			case <-ctx.Done():
				return false
			default:
				return err != nil || resp.IsError()
			}
		}).
		R().
		Get(r.Endpoint)
	if err != nil {
		return err
	}
	return ctx.Err()
}
