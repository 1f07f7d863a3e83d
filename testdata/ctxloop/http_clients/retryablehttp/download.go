// Package download retries requests with hashicorp's client.
package download

import (
	"context"
	"net/http"

	"github.com/hashicorp/go-retryablehttp"
)

// RetryablehttpWithContext gives its requests a context in each of the ways
// there are.
type RetryablehttpWithContext struct {
	client *retryablehttp.Client
}

func New() *RetryablehttpWithContext {
	return &RetryablehttpWithContext{client: retryablehttp.NewClient()}
}

func (d *RetryablehttpWithContext) Do(ctx context.Context, url string) (*http.Response, error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return d.client.Do(req)
}

func (d *RetryablehttpWithContext) Later(ctx context.Context, url string) (*http.Response, error) {
	req, err := retryablehttp.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return d.client.Do(req.WithContext(ctx))
}

func (d *RetryablehttpWithContext) Converted(ctx context.Context, url string) (*http.Response, error) {
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

func (d *RetryablehttpWithContext) Standard(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return d.client.StandardClient().Do(req)
}

// RetryablehttpWithoutContext retries over HTTP with requests that carry no
// context.
type RetryablehttpWithoutContext struct {
	client *retryablehttp.Client
}

func NewWithoutContext() *RetryablehttpWithoutContext {
	client := retryablehttp.NewClient()
	client.RetryMax = 10
	return &RetryablehttpWithoutContext{client: client}
}

func (d *RetryablehttpWithoutContext) Get(ctx context.Context, url string) (*http.Response, error) {
	return d.client.Get(url) // want "ctxloop: .*never observes"
}

func (d *RetryablehttpWithoutContext) Do(ctx context.Context, url string) (*http.Response, error) {
	req, err := retryablehttp.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	return d.client.Do(req) // want "ctxloop: .*never observes"
}

func (d *RetryablehttpWithoutContext) Default(ctx context.Context, url string) (*http.Response, error) {
	return retryablehttp.Get(url) // want "ctxloop: .*never observes"
}
