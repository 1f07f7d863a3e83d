// Package controller reads the clock once into the state of a pass and writes it
// from there.
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

type scope struct {
	thing *thingapi.Thing
	now   time.Time
}

func newScope(thing *thingapi.Thing) *scope {
	return &scope{thing: thing, now: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
}

func (s *scope) finish() {
	s.thing.Status.Phase = "Done"
	s.thing.Status.LastSync = &metav1.Time{Time: s.now}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s := newScope(thing)
	s.finish()
	return ctrl.Result{}, r.Status().Update(ctx, s.thing)
}
