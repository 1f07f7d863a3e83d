// Package fixture filters the events of all its watches.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// RawSourceWithoutAPredicate watches Secrets through a source; the filter of
// the builder does not reach it.
type RawSourceWithoutAPredicate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *RawSourceWithoutAPredicate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *RawSourceWithoutAPredicate) SetupWithManager(mgr ctrl.Manager) error {
	owner := handler.TypedEnqueueRequestForOwner[*corev1.Secret](mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}).
		WatchesRawSource(source.Kind(mgr.GetCache(), &corev1.Secret{}, owner,
			predicate.TypedResourceVersionChangedPredicate[*corev1.Secret]{})).
		Complete(r)
}

// EventFilterOfTheBuilderHidesAStatus filters its own status events, and those
// of the Deployment that it waits for.
type EventFilterOfTheBuilderHidesAStatus struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *EventFilterOfTheBuilderHidesAStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, deployment, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}

	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *EventFilterOfTheBuilderHidesAStatus) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want "blindpredicate: .*hides the status of appsv1.Deployment, which Reconcile reads ..*controller.go:\\d+.*progress"
		Complete(r)
}

// EventFilterOfTheBuilderHidesAnOwnedSecret filters the events of all its
// watches; the Secret has no generation that could change.
type EventFilterOfTheBuilderHidesAnOwnedSecret struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *EventFilterOfTheBuilderHidesAnOwnedSecret) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *EventFilterOfTheBuilderHidesAnOwnedSecret) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}
