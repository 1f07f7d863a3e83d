// Package download gives its requests a context in each of the ways there are.
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
	return &Downloader{client: retryablehttp.NewClient()}
}

func (d *Downloader) Do(ctx context.Context, url string) (*http.Response, error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return d.client.Do(req)
}

func (d *Downloader) Later(ctx context.Context, url string) (*http.Response, error) {
	req, err := retryablehttp.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return d.client.Do(req.WithContext(ctx))
}

func (d *Downloader) Converted(ctx context.Context, url string) (*http.Response, error) {
	plain, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req, err := retryablehttp.FromRequest(plain)
	if err != nil {
		return nil, err
	}
	return d.client.Do(req)
}

func (d *Downloader) Standard(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return d.client.StandardClient().Do(req)
}
