// Package controller skips the write when the status did not change, but has
// already put the time into it.
package controller

import (
	"context"
	"reflect"
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
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := thing.DeepCopy()
	thing.Status.Phase = "Ready"
	thing.Status.LastSync = &metav1.Time{Time: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
	if reflect.DeepEqual(before.Status, thing.Status) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}
