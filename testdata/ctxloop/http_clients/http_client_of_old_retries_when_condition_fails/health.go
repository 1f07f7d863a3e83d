// Package health believes that an error from the condition ends the retries of
// resty v1. It causes one, and so does a request that fails because its context
// is done.
package health

import (
	"context"
	"net/http"
	"time"

	"gopkg.in/resty.v1"
)

type Health struct {
	URL string
}

func (h *Health) ConditionFails(ctx context.Context) error {
	_, err := resty.New().
		SetRetryCount(100).
		SetRetryWaitTime(5 * time.Second).
		AddRetryCondition(func(resp *resty.Response) (bool, error) { // want "ctxloop: .*never observes"
			select {
			case <-ctx.Done():
				return false, ctx.Err()
			default:
				return resp.StatusCode() != http.StatusOK, nil
			}
		}).
		R().Get(h.URL)
	return err
}

func (h *Health) RequestFails(ctx context.Context) error {
	_, err := resty.New().
		SetRetryCount(100). // want "ctxloop: .*never observes"
		SetRetryWaitTime(5 * time.Second).
		R().
		SetContext(ctx).
		Get(h.URL)
	return err
}
