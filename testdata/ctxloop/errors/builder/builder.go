// Package builder leaves the loop when a request fails that carries the
// context.
package builder

import (
	"context"
	"time"

	"k8s.io/client-go/util/flowcontrol"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Call is a request to the cloud.
type Call interface {
	Context(ctx context.Context) Call
	Do() (status string, err error)
}

// ContextReachesCallThroughBuilder sets the context on a request that it
// builds, as the clients of clouds want it, and leaves the loop when the
// request fails.
type ContextReachesCallThroughBuilder struct {
	Change func(zone string) Call
}

func (r *ContextReachesCallThroughBuilder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	status := "pending"
	for status == "pending" {
		time.Sleep(time.Second)
		var err error
		status, err = r.Change(req.Name).Context(ctx).Do()
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// RateLimiterWaitsWithContext paces itself by rate limiters that listen to the
// context.
type RateLimiterWaitsWithContext struct {
	Limiter flowcontrol.RateLimiter
	Send    func(item string) error
}

func (s *RateLimiterWaitsWithContext) SendAll(ctx context.Context, items []string) error {
	for _, item := range items {
		if err := s.Limiter.Wait(ctx); err != nil {
			return err
		}
		if err := s.Send(item); err != nil {
			return err
		}
	}
	return nil
}
