// Package controller runs steps from a slice and behind an interface. What runs
// them returns once the object says that it is complete.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reconciler runs the steps of an object until the last one records its time.
type Reconciler struct {
	client.Client
}

type run struct {
	*Reconciler
	thing *thingapi.Thing
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.LastSync != nil {
		return ctrl.Result{}, nil
	}
	once := &run{Reconciler: r, thing: thing}
	for _, step := range []func(context.Context) (ctrl.Result, error){once.label, once.complete} {
		if res, err := step(ctx); err != nil || res.RequeueAfter > 0 {
			return res, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *run) label(ctx context.Context) (ctrl.Result, error) {
	if r.thing.Labels["run"] == "" {
		metav1.SetMetaDataLabel(&r.thing.ObjectMeta, "run", r.thing.Name)
		return ctrl.Result{RequeueAfter: time.Second}, r.Update(ctx, r.thing)
	}
	return ctrl.Result{}, nil
}

func (r *run) complete(ctx context.Context) (ctrl.Result, error) {
	now := metav1.Now()
	r.thing.Status.LastSync = &now
	return ctrl.Result{}, r.Status().Update(ctx, r.thing)
}

// Endless runs a step of the same form in each reconcile.
type Endless struct {
	client.Client
}

type turn struct {
	*Endless
	thing *thingapi.Thing
}

func (r *Endless) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	each := &turn{Endless: r, thing: thing}
	for _, step := range []func(context.Context) (ctrl.Result, error){each.synced} {
		if res, err := step(ctx); err != nil || res.RequeueAfter > 0 {
			return res, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *turn) synced(ctx context.Context) (ctrl.Result, error) {
	now := metav1.Now() // want "unstablewrite: .*Now reaches Thing status.lastSync"
	r.thing.Status.LastSync = &now
	return ctrl.Result{}, r.Status().Update(ctx, r.thing)
}

// A stage is one part of what an object runs through.
type stage interface {
	Handle(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error)
}

// Staged runs stages until the last one records its time.
type Staged struct {
	client.Client
	stages []stage
}

func (r *Staged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.LastSync != nil {
		return ctrl.Result{}, nil
	}
	for _, s := range r.stages {
		if res, err := s.Handle(ctx, thing); err != nil || res.RequeueAfter > 0 {
			return res, err
		}
	}
	return ctrl.Result{}, nil
}

type last struct {
	client.Client
}

func (l *last) Handle(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{}, l.Status().Update(ctx, thing)
}

// NewStaged returns a reconciler with its stages.
func NewStaged(c client.Client) *Staged {
	return &Staged{Client: c, stages: []stage{&last{Client: c}}}
}
