// Package controller writes the status in a deferred function, whatever happened,
// with the time of the attempt.
package controller

import (
	"context"
	"errors"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	defer func() {
		now := metav1.Now() // want "unstablewrite: .*Now .*Thing"
		thing.Status.LastSync = &now
		err = errors.Join(err, r.Status().Patch(ctx, thing, client.MergeFrom(base)))
	}()
	if len(thing.Spec.Hosts) == 0 {
		return ctrl.Result{}, errors.New("no hosts")
	}
	thing.Status.Phase = "Ready"
	return ctrl.Result{}, nil
}
