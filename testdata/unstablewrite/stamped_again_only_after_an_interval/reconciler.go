// Package controller renews a stamp once per interval; in between it leaves
// early.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

const resync = 10 * time.Minute

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if last := thing.Status.LastSync; last != nil && time.Since(last.Time) < resync {
		return ctrl.Result{RequeueAfter: resync - time.Since(last.Time)}, nil
	}
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{RequeueAfter: resync}, r.Status().Update(ctx, &thing)
}
