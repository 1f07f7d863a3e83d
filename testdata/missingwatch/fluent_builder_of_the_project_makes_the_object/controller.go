// Package fixture makes its StatefulSet with a fluent builder of another package.
package fixture

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/fluent_builder_of_the_project_makes_the_object/statefulset"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	set := statefulset.Builder().
		SetName(thing.Name).
		SetNamespace(thing.Namespace).
		SetReplicas(thing.Spec.Replicas).
		SetOwner(thing, thingapi.GroupVersion.WithKind("Thing")).
		Build()
	err := r.Create(ctx, set)
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*StatefulSet"
}
