// Package setup builds controllers.
package setup

import (
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Controller builds the controller of a kind that owns another one.
func Controller(mgr ctrl.Manager, r reconcile.Reconciler, primary, output client.Object) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(primary).
		Owns(output).
		WithEventFilter(predicate.GenerationChangedPredicate{}).
		Complete(r)
}
