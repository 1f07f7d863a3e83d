// Package wait has comments that say why, and comments that do not.
package wait

import (
	"context"
	"time"

	"gopkg.in/resty.v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

// ReasonSilencesAFinding sleeps where nobody minds, and says so: on the line,
// above it, above a comment of its own, and above a chain of calls.
type ReasonSilencesAFinding struct {
	Ready func() bool
}

func (r *ReasonSilencesAFinding) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
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

// ReasonIsMissing has comments that do not say why. They silence nothing.
type ReasonIsMissing struct {
	Ready func() bool
}

func (r *ReasonIsMissing) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
	/* want "directive: .*no reason" */ //operatorvet:ignore ctxloop
	for !r.Ready() {                    // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*no reason" */ //operatorvet:ignore ctxloop --
	for !r.Ready() {                    // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}
