// Package controller steps from the creation time to the last time that was due;
// the clock only ends the loop.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Clock clock.PassiveClock
}

const interval = 15 * time.Minute

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	now := r.Clock.Now()
	due := thing.CreationTimestamp.Time
	for next := due.Add(interval); !next.After(now); next = next.Add(interval) {
		due = next
	}
	thing.Status.LastSync = &metav1.Time{Time: due}
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: due.Add(interval).Sub(now)}, nil
}
