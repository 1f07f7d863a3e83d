// Package fixture takes its predicates from variables of another package. What is
// selected by labels or annotations is a matter of its own.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/blindpredicate/predicate_variable_of_another_package/filters"
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

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}

	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, role, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, role))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters.SpecChanged)). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*never repaired"
		Owns(&corev1.Namespace{}, builder.WithPredicates(filters.Meaningful)).
		Owns(&rbacv1.Role{}, builder.WithPredicates(filters.Meaningful)). // want "blindpredicate: .*edits of rbacv1.Role"
		Complete(r)
}
