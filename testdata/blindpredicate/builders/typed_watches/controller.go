// Package fixture filters events with typed predicates.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// TypedFunctionsCompareTheGeneration watches ConfigMaps of users through a
// controller of package controller, with typed functions.
type TypedFunctionsCompareTheGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile copies the configuration that a Thing refers to into its status.
func (r *TypedFunctionsCompareTheGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, config); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = config.Data["phase"]
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *TypedFunctionsCompareTheGeneration) SetupWithManager(mgr ctrl.Manager) error {
	c, err := controller.New("thing", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{})); err != nil {
		return err
	}
	toThings := handler.TypedEnqueueRequestsFromMapFunc(func(_ context.Context, config *corev1.ConfigMap) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(config)}}
	})
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.ConfigMap{}, toThings, predicate.TypedFuncs[*corev1.ConfigMap]{ // want "blindpredicate: .*edits of corev1.ConfigMap"
		UpdateFunc: func(e event.TypedUpdateEvent[*corev1.ConfigMap]) bool {
			return e.ObjectOld.Generation != e.ObjectNew.Generation
		},
	}))
}

// TypedPredicateOfARawSource watches Secrets through a source with a typed
// predicate.
type TypedPredicateOfARawSource struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypedPredicateOfARawSource) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *TypedPredicateOfARawSource) SetupWithManager(mgr ctrl.Manager) error {
	owner := handler.TypedEnqueueRequestForOwner[*corev1.Secret](mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WatchesRawSource(source.Kind(mgr.GetCache(), &corev1.Secret{}, owner,
			predicate.TypedGenerationChangedPredicate[*corev1.Secret]{})). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}
