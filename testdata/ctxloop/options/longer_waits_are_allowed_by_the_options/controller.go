// Package controller waits for as long as the options allow.
package controller

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/options/longer_waits_are_allowed_by_the_options/helper"
)

type Reconciler struct {
	Ready func() bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	helper.AwaitReady(r.Ready)
	for range 3 {
		if r.Ready() {
			break
		}
		time.Sleep(10 * time.Second)
	}
	condition := func() (bool, error) { return r.Ready(), nil }
	return ctrl.Result{}, wait.PollImmediate(time.Second, 20*time.Second, condition)
}
