// Package wait sleeps where nobody minds, and says so: on the line, above it,
// above a comment of its own, and above a chain of calls.
package wait

import (
	"context"
	"time"

	"gopkg.in/resty.v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Ready func() bool
}

func (r *Reconciler) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	for !r.Ready() { //operatorvet:ignore ctxloop the process is killed anyway when it loses its lease
		time.Sleep(5 * time.Second)
	}

	//operatorvet:ignore ctxloop the process is killed anyway when it loses its lease
	for !r.Ready() {
		time.Sleep(5 * time.Second)
	}

	//operatorvet:ignore ctxloop the process is killed anyway when it loses its lease
	// And then it does not matter.
	for !r.Ready() {
		time.Sleep(5 * time.Second)
	}

	//operatorvet:ignore ctxloop the device answers within its own timeout
	_, err := resty.New().
		SetRetryCount(100).
		SetRetryWaitTime(10 * time.Second).
		AddRetryCondition(func(resp *resty.Response) (bool, error) { return resp.StatusCode() != 200, nil }).
		R().SetContext(ctx).Get("http://device.local/ready")
	return ctrl.Result{}, err
}
