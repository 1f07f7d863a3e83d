// Package fixture retries by helpers of another package. What it passes to them decides
// whether the end of the context ends the loop.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/library_retries/helper_of_another_package/again"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Conflicts retries after conflicts alone: the error of the context ends the loops.
type Conflicts struct{ client.Client }

func (r *Conflicts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	update := func() error {
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return err
		}
		return r.Update(ctx, thing)
	}
	if err := again.OnConflict(update); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, again.OnError(apierrors.IsConflict, update)
}

// EveryError retries after each error, also that of the context.
type EveryError struct{ client.Client }

func (r *EveryError) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	return ctrl.Result{}, again.OnError(func(error) bool { return true }, func() error { // want "ctxloop: again.OnError .*never observes ctx"
		return r.Get(ctx, req.NamespacedName, thing)
	})
}
