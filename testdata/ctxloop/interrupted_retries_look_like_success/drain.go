// Package drain ends the retries of its HTTP client once the context is done,
// by a condition that has no way to say why. The request itself went well.
package drain

import (
	"context"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"
)

type Drainer struct {
	Endpoint string
}

func (d *Drainer) Empty(ctx context.Context, ip string) error {
	_, err := resty.New().
		SetRetryCount(999).
		SetRetryWaitTime(time.Second).
		SetRetryMaxWaitTime(time.Second).
		AddRetryCondition(func(resp *resty.Response, err error) bool {
			select {
			case <-ctx.Done():
				return false
			default:
				return err != nil || strings.Contains(resp.String(), ip)
			}
		}).
		R().
		Get(d.Endpoint + "/_cat/shards")
	if err != nil {
		return err
	}
	return nil // want "ctxloop: .*looks like success"
}
