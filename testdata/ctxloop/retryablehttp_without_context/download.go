// Package download retries over HTTP with requests that carry no context.
package download

import (
	"context"
	"net/http"

	"github.com/hashicorp/go-retryablehttp"
)

type Downloader struct {
	client *retryablehttp.Client
}

func New() *Downloader {
	client := retryablehttp.NewClient()
	client.RetryMax = 10
	return &Downloader{client: client}
}

func (d *Downloader) Get(ctx context.Context, url string) (*http.Response, error) {
	return d.client.Get(url) // want "ctxloop: .*never observes"
}

func (d *Downloader) Do(ctx context.Context, url string) (*http.Response, error) {
	req, err := retryablehttp.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	return d.client.Do(req) // want "ctxloop: .*never observes"
}

func (d *Downloader) Default(ctx context.Context, url string) (*http.Response, error) {
	return retryablehttp.Get(url) // want "ctxloop: .*never observes"
}
