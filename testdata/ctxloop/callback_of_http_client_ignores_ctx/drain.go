// Package drain waits for a node to lose its shards with the retries of an HTTP
// client, whose condition ignores the context of the drain.
package drain

import (
	"context"
	"encoding/json"
	"time"

	resty2 "github.com/go-resty/resty/v2"
	resty1 "gopkg.in/resty.v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

type shard struct {
	IP string `json:"ip"`
}

type Reconciler struct {
	Endpoint string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.drain(ctx, req.Name); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.drainAgain(ctx, req.Name)
}

func (r *Reconciler) drain(ctx context.Context, ip string) error {
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

func (r *Reconciler) drainAgain(ctx context.Context, ip string) error {
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
