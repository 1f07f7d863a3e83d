// Package controller ignores findings that only the whole module shows. A driver
// that sees this package alone cannot tell which comment is of use.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Sleeps struct {
	client.Client
	Sleep func(time.Duration)
}

func (r *Sleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	//operatorvet:ignore ctxloop the API server answers soon
	for r.Get(ctx, req.NamespacedName, &thing) == nil {
		r.Sleep(time.Second)
	}
	return ctrl.Result{}, nil
}

func (r *Sleeps) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("sleeps").Complete(r)
}

type GoesOn struct {
	client.Client
	Sleep func(time.Duration)
}

func (r *GoesOn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	/* want in the module "directive: .*suppresses no finding of ctxloop" */ //operatorvet:ignore ctxloop the API server answers soon
	for r.Get(ctx, req.NamespacedName, &thing) == nil {
		r.Sleep(time.Second)
	}
	return ctrl.Result{}, nil
}

func (r *GoesOn) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named("goes").Complete(r)
}
