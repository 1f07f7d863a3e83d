// Package controller writes the status in a deferred function.
package controller

import (
	"context"
	"errors"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StatusPatchedInADeferWithKeptConditions writes the status in a deferred
// function; the condition in it keeps its time.
type StatusPatchedInADeferWithKeptConditions struct {
	client.Client
}

func (r *StatusPatchedInADeferWithKeptConditions) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	defer func() {
		ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Reconciled"}
		if err != nil {
			ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, "Failed", err.Error()
		}
		meta.SetStatusCondition(&thing.Status.Conditions, ready)
		err = errors.Join(err, r.Status().Patch(ctx, thing, client.MergeFrom(base)))
	}()
	if len(thing.Spec.Hosts) == 0 {
		return ctrl.Result{}, errors.New("no hosts")
	}
	return ctrl.Result{}, nil
}

// StatusWrittenInADefer writes the status in a deferred function, whatever
// happened, with the time of the attempt.
type StatusWrittenInADefer struct {
	client.Client
}

func (r *StatusWrittenInADefer) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
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
