package controller

import (
	"context"
	"errors"
	"net/http"
	"time"

	resty "gopkg.in/resty.v1"
)

// Drainer asks the things to give up their connections.
type Drainer struct {
	// BaseURL is where the things' admin interface answers.
	BaseURL string
}

// WaitUntilIdle returns when the thing has no connections left. It may take
// hours. Meanwhile the user takes the scale-in back, or the operator is told to
// stop: ctx is done, but the retries go on, because the condition never looks at
// it.
func (d *Drainer) WaitUntilIdle(ctx context.Context, thing string) error {
	resp, err := resty.New().
		SetHostURL(d.BaseURL).
		SetRetryCount(1000).
		SetRetryWaitTime(10 * time.Second).
		SetRetryMaxWaitTime(30 * time.Second).
		AddRetryCondition(func(resp *resty.Response) (bool, error) { // want "ctxloop: .*never observes"
			return resp.StatusCode() != http.StatusNoContent, nil
		}).
		R().
		SetContext(ctx).
		Post("/things/" + thing + "/drain")
	if err != nil {
		return err
	}
	if resp.StatusCode() != http.StatusNoContent {
		return errors.New("thing still has connections: " + resp.Status())
	}
	return nil
}
