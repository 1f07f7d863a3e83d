// Package probe uses the retrying client for its logs, and lets it try once.
package probe

import (
	"context"
	"net/http"

	"github.com/hashicorp/go-retryablehttp"
)

func Probe(ctx context.Context, url string) (*http.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client := retryablehttp.NewClient()
	client.RetryMax = 0
	return client.Get(url)
}
