// Package controller goes over all conditions.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ConditionsRenewedWhenNotYetTrue goes over its conditions with a new time, but
// only if the one in question is not true yet.
type ConditionsRenewedWhenNotYetTrue struct {
	client.Client
}

func (r *ConditionsRenewedWhenNotYetTrue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !meta.IsStatusConditionTrue(thing.Status.Conditions, "Provisioned") {
		return ctrl.Result{}, r.markProvisioned(ctx, &thing)
	}
	return ctrl.Result{}, nil
}

func (r *ConditionsRenewedWhenNotYetTrue) markProvisioned(ctx context.Context, thing *thingapi.Thing) error {
	updated := make([]metav1.Condition, 0, len(thing.Status.Conditions))
	for _, c := range thing.Status.Conditions {
		if c.Type == "Provisioned" {
			c.Status = metav1.ConditionTrue
			c.LastTransitionTime = metav1.Now()
		}
		updated = append(updated, c)
	}
	thing.Status.Conditions = updated
	return r.Status().Update(ctx, thing)
}

// ConditionsRebuiltWithANewTime replaces all conditions on each pass.
type ConditionsRebuiltWithANewTime struct {
	client.Client
}

func (r *ConditionsRebuiltWithANewTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	thing.Status.Conditions = []metav1.Condition{{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "Deployed",
		ObservedGeneration: thing.Generation,
		LastTransitionTime: metav1.NewTime(time.Now()), // want "unstablewrite: time\\.Now .*Thing"
	}}
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

// AllConditionsStampedAgainInALoop copies its conditions on each pass and gives
// one of them a new time.
type AllConditionsStampedAgainInALoop struct {
	client.Client
}

func (r *AllConditionsStampedAgainInALoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	updated := make([]metav1.Condition, 0, len(thing.Status.Conditions))
	for _, c := range thing.Status.Conditions {
		c.ObservedGeneration = thing.Generation
		c.LastTransitionTime = metav1.Now() // want "unstablewrite: .*Now .*Thing"
		updated = append(updated, c)
	}
	thing.Status.Conditions = updated
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
