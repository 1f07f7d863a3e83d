// Package drain retries requests with resty while a condition says so.
package drain

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	resty2 "github.com/go-resty/resty/v2"
	resty1 "gopkg.in/resty.v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// CallbackOfHTTPClientGivesUp lets the condition give up when the context is
// done, and then says that it was interrupted.
type CallbackOfHTTPClientGivesUp struct {
	Endpoint string
}

func (r *CallbackOfHTTPClientGivesUp) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.drainAgain(ctx)
}

func (r *CallbackOfHTTPClientGivesUp) drain(ctx context.Context) error {
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

func (r *CallbackOfHTTPClientGivesUp) drainAgain(ctx context.Context) error {
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

type shard struct {
	IP string `json:"ip"`
}

// CallbackOfHTTPClientIgnoresCtx waits for a node to lose its shards with the
// retries of an HTTP client, whose condition ignores the context of the drain.
type CallbackOfHTTPClientIgnoresCtx struct {
	Endpoint string
}

func (r *CallbackOfHTTPClientIgnoresCtx) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.drainAgain(ctx, req.Name)
}

func (r *CallbackOfHTTPClientIgnoresCtx) drain(ctx context.Context, ip string) error {
	_, err := resty1.New().
		SetRetryCount(999).
		SetRetryWaitTime(10 * time.Second).
		SetRetryMaxWaitTime(30 * time.Second).
		AddRetryCondition(func(resp *resty1.Response) (bool, error) { // want "ctxloop: .*never observes"
			var shards []shard
			if err := json.Unmarshal(resp.Body(), &shards); err != nil {
				return true, err
			}
			return onNode(shards, ip), nil
		}).
		R().
		Get(r.Endpoint + "/_cat/shards")
	return err
}

func (r *CallbackOfHTTPClientIgnoresCtx) drainAgain(ctx context.Context, ip string) error {
	client := resty2.New().
		SetRetryCount(999).
		SetRetryWaitTime(10 * time.Second)
	client.AddRetryCondition(func(resp *resty2.Response, err error) bool { // want "ctxloop: .*never observes"
		var shards []shard
		if err != nil || json.Unmarshal(resp.Body(), &shards) != nil {
			return true
		}
		return onNode(shards, ip)
	})
	_, err := client.R().Get(r.Endpoint + "/_cat/shards")
	return err
}

func onNode(shards []shard, ip string) bool {
	for _, s := range shards {
		if s.IP == ip {
			return true
		}
	}
	return false
}

// InterruptedRetriesLookLikeSuccess ends the retries of its HTTP client once
// the context is done, by a condition that has no way to say why. The request
// itself went well.
type InterruptedRetriesLookLikeSuccess struct {
	Endpoint string
}

func (d *InterruptedRetriesLookLikeSuccess) Empty(ctx context.Context, ip string) error {
	_, err := resty2.New().
		SetRetryCount(999).
		SetRetryWaitTime(time.Second).
		SetRetryMaxWaitTime(time.Second).
		AddRetryCondition(func(resp *resty2.Response, err error) bool {
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
