// Package controller has two controllers of one kind. Both write the time of their
// last pass into the status. Only one drops the event that this causes.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type Quiet struct {
	client.Client
}

func (r *Quiet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: time.Now()}
	return ctrl.Result{RequeueAfter: time.Hour}, r.Status().Update(ctx, &thing)
}

func (r *Quiet) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("quiet").
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

type Hot struct {
	client.Client
}

func (r *Hot) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: time.Now()} // want "unstablewrite: time\\.Now .*Thing status\\.lastSync"
	return ctrl.Result{RequeueAfter: time.Hour}, r.Status().Update(ctx, &thing)
}

func (r *Hot) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("hot").For(&thingapi.Thing{}).Complete(r)
}
