// Package controller has predicates in fields that its caller sets.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type FieldSetInMainIsBlind struct {
	client.Client
	Filter predicate.Predicate
}

func (r *FieldSetInMainIsBlind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme())
	})
	return ctrl.Result{}, err
}

func (r *FieldSetInMainIsBlind) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(r.Filter)). // want in the module "blindpredicate: .*ConfigMap"
		Complete(r)
}

type FieldSetInMainSeesChanges struct {
	client.Client
	Filter predicate.Predicate
}

func (r *FieldSetInMainSeesChanges) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme())
	})
	return ctrl.Result{}, err
}

func (r *FieldSetInMainSeesChanges) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(r.Filter)).
		Complete(r)
}
