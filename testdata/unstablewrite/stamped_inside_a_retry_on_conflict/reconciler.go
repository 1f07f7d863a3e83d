// Package controller re-reads and stamps inside the closure of a conflict retry.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return client.IgnoreNotFound(err)
		}
		metav1.SetMetaDataAnnotation(&thing.ObjectMeta, "things.example.com/reconciled-at", time.Now().String()) // want "unstablewrite: time\\.Now .*Thing"
		return r.Update(ctx, thing)
	})
	return ctrl.Result{}, err
}
