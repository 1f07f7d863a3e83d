// Package claim writes until its write is accepted, a few times a second. A
// done context makes the write fail with an error that is no conflict.
package claim

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
		thing.Status.Phase = "Claimed"
		err := r.Status().Update(ctx, thing)
		if !apierrors.IsConflict(err) {
			return ctrl.Result{}, err
		}
		time.Sleep(200 * time.Millisecond)
	}
}
