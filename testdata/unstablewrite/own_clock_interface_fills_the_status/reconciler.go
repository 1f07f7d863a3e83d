// Package controller has a clock interface of its own, as the kubebuilder book
// shows it, and writes what it says into the status.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Clock interface {
	Now() time.Time
}

type Reconciler struct {
	client.Client
	Clock
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.Now()} // want "unstablewrite: .*Now .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
