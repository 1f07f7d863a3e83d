// Package controller asks functions and interfaces for the time that its caller
// sets.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type FieldSetInMainIsAClock struct {
	client.Client
	Now func() time.Time
}

func (r *FieldSetInMainIsAClock) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.Now()} // want in the module "unstablewrite: .*Now .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *FieldSetInMainIsAClock) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("field").Complete(r)
}

// Source says when something happened.
type Source interface{ Instant() time.Time }

// Real is what runs in a cluster.
type Real struct{}

func (Real) Instant() time.Time { return time.Now() }

type constructorTakesTheClock struct {
	client.Client
	now    func() time.Time
	source Source
}

type Option func(*constructorTakesTheClock)

func WithSource(s Source) Option {
	return func(r *constructorTakesTheClock) { r.source = s }
}

func NewConstructorTakesTheClock(c client.Client, now func() time.Time, opts ...Option) *constructorTakesTheClock {
	r := &constructorTakesTheClock{Client: c, now: now}
	for _, opt := range opts {
		opt(r)
	}
	return r
}

func (r *constructorTakesTheClock) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.now()} // want in the module "unstablewrite: .*Now .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *constructorTakesTheClock) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("constructor").Complete(r)
}

type FieldSetInMainIsNoClock struct {
	client.Client
	Released func() time.Time
}

func (r *FieldSetInMainIsNoClock) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.Released()}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *FieldSetInMainIsNoClock) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("fixed").Complete(r)
}

type FieldSetInMainIsUnknown struct {
	client.Client
	Now func() time.Time
}

func (r *FieldSetInMainIsUnknown) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.Now()}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *FieldSetInMainIsUnknown) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("unknown").Complete(r)
}
