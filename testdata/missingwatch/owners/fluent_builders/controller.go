// Package fixture makes its objects with fluent builders of another package.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/owners/fluent_builders/statefulset"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// FluentBuilderSetsTheControllerReference makes its StatefulSet with a fluent
// builder, which sets the controller reference that Owns needs.
type FluentBuilderSetsTheControllerReference struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FluentBuilderSetsTheControllerReference) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *FluentBuilderSetsTheControllerReference) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.StatefulSet{}).
		Complete(r)
}

// FluentBuilderOfTheProjectMakesTheObject makes its StatefulSet with a fluent
// builder of another package.
type FluentBuilderOfTheProjectMakesTheObject struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FluentBuilderOfTheProjectMakesTheObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	set := statefulset.NewBuilder().
		SetName(thing.Name).
		SetNamespace(thing.Namespace).
		SetReplicas(thing.Spec.Replicas).
		SetOwner(thing, thingapi.GroupVersion.WithKind("Thing")).
		Build()
	err := r.Create(ctx, set)
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *FluentBuilderOfTheProjectMakesTheObject) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*StatefulSet"
}
