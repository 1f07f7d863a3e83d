// Package fixture makes its StatefulSet with a fluent builder, which sets the
// controller reference that Owns needs.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/fluent_builder_sets_the_controller_reference/statefulset"
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

	set := statefulset.New(thing.Name, thing.Namespace).
		WithReplicas(thing.Spec.Replicas).
		ControlledBy(thing, thingapi.GroupVersion.WithKind("Thing")).
		Build()
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, &set))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r)
}
