// Package fixture registers reconcilers in wrappers of another package.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/reconcilers/wrapper_of_another_package/traced"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Reconciler keeps a ConfigMap for each Thing.
type Reconciler struct{ client.Client }

// Reconcile creates the ConfigMap.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{Data: thing.Spec.Config}
	config.Name, config.Namespace = thing.Name, thing.Namespace
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

// SetUpInAWrapper does not watch ConfigMaps.
func SetUpInAWrapper(mgr ctrl.Manager) error {
	r := &Reconciler{mgr.GetClient()}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(traced.Logging(r)) // want "missingwatch: .*ConfigMap"
}

// Watched is another reconciler of that kind.
type Watched struct{ Reconciler }

// Reconcile creates a ConfigMap like the other one.
func (r *Watched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.Reconciler.Reconcile(ctx, req)
}

// SetUpWithAWatch watches ConfigMaps.
func SetUpWithAWatch(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(traced.Logging(&Watched{Reconciler{mgr.GetClient()}}))
}

// Polled is another reconciler of that kind.
type Polled struct{ Reconciler }

// Reconcile creates a ConfigMap like the other one.
func (r *Polled) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.Reconciler.Reconcile(ctx, req)
}

// SetUpInAPollingWrapper has a wrapper that looks again every minute.
func SetUpInAPollingWrapper(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(&traced.Resyncing{Inner: &Polled{Reconciler{mgr.GetClient()}}})
}

// Unused is another reconciler of that kind.
type Unused struct{ Reconciler }

// Reconcile creates a ConfigMap like the other one.
func (r *Unused) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.Reconciler.Reconcile(ctx, req)
}

// SetUpInADeadWrapper has a wrapper that does not call the reconciler.
func SetUpInADeadWrapper(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(&traced.Disabled{Inner: &Unused{Reconciler{mgr.GetClient()}}})
}
