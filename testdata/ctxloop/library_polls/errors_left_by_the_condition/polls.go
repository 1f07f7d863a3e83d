// Package fixture has loops around polls whose own errors are dropped.
package fixture

import (
	"context"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// EndsWithTheErrorOfTheCondition ends if the last request has failed, as it does once ctx
// is done.
func EndsWithTheErrorOfTheCondition(ctx context.Context, pages []string) error {
	for next := ""; ; next += "0" {
		var failed error
		var status int
		_ = wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
			status, failed = get(ctx, next)
			return failed == nil, nil
		})
		if failed != nil {
			return failed
		}
		if status == http.StatusNotFound {
			return nil
		}
	}
}

// GoesOnAfterTheErrorOfTheCondition asks again for ever.
func GoesOnAfterTheErrorOfTheCondition(ctx context.Context) {
	for next := ""; ; next += "0" { // want "ctxloop: "
		var failed error
		var status int
		_ = wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
			status, failed = get(ctx, next)
			return failed == nil, nil
		})
		if failed == nil && status == http.StatusNotFound {
			return
		}
	}
}

func get(ctx context.Context, page string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://things/"+page, http.NoBody)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	return resp.StatusCode, nil
}
