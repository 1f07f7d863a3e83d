// Package controller stamps when a phase or a generation changes.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// PhaseChangesStampInASwitch stamps on transitions that a switch over the old
// phase finds.
type PhaseChangesStampInASwitch struct {
	client.Client
}

func (r *PhaseChangesStampInASwitch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch thing.Status.Phase {
	case "":
		thing.Status.Phase = "Pending"
		thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	case "Pending":
		thing.Status.Phase = "Running"
		thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// TimeStampedWithThePhaseChange moves the time together with the phase.
type TimeStampedWithThePhaseChange struct {
	client.Client
}

func (r *TimeStampedWithThePhaseChange) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	phase := "Running"
	if thing.Spec.Paused {
		phase = "Paused"
	}
	setPhase(&thing, phase)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setPhase(thing *thingapi.Thing, phase string) {
	if thing.Status.Phase == phase {
		return
	}
	now := metav1.Now()
	thing.Status.Phase = phase
	thing.Status.LastSync = &now
}

// TimeStampedOncePerGeneration stamps the status only for a generation that it
// has not seen.
type TimeStampedOncePerGeneration struct {
	client.Client
}

func (r *TimeStampedOncePerGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	if thing.Status.ObservedGeneration != thing.Generation {
		thing.Status.ObservedGeneration = thing.Generation
		thing.Status.LastSync = &metav1.Time{Time: time.Now().UTC()}
	}
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

// PhaseHelperStampsOnEveryBranch leaves by a helper that sets the phase, stamps
// and writes.
type PhaseHelperStampsOnEveryBranch struct {
	client.Client
}

func (r *PhaseHelperStampsOnEveryBranch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.Image == "" {
		return r.done(ctx, &thing, "Invalid")
	}
	if thing.Spec.Paused {
		return r.done(ctx, &thing, "Paused")
	}
	return r.done(ctx, &thing, "Running")
}

func (r *PhaseHelperStampsOnEveryBranch) done(ctx context.Context, thing *thingapi.Thing, phase string) (ctrl.Result, error) {
	thing.Status.Phase = phase
	thing.Status.LastSync = &metav1.Time{Time: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// StampGuardedByAWishThatLasts stamps while the user wishes something; the wish
// is still there on the next pass.
type StampGuardedByAWishThatLasts struct {
	client.Client
}

func (r *StampGuardedByAWishThatLasts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
