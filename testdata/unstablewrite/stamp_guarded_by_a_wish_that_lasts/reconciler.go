// Package controller stamps while the user wishes something; the wish is still
// there on the next pass.
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

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	thing.Status.Phase = "Running"
	if thing.Spec.Paused {
		thing.Status.Phase = "Paused"
		thing.Status.LastSync = &metav1.Time{Time: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
	}
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}
