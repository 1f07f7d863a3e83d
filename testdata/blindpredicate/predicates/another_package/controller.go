// Package fixture takes its predicates from another package.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/blindpredicate/predicates/another_package/changes"
	"github.com/operatorvet/operatorvet/testdata/blindpredicate/predicates/another_package/filters"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// PredicateOfAnotherPackageSeesEverything takes its predicate from another
// package, which compares resource versions.
type PredicateOfAnotherPackageSeesEverything struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateOfAnotherPackageSeesEverything) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *PredicateOfAnotherPackageSeesEverything) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters.Changed())).
		Complete(r)
}

// VariableOfAnotherPackageSeesEverything takes its predicate from a variable of
// another package, which compares resource versions; and lets another variable
// go out of its hands.
type VariableOfAnotherPackageSeesEverything struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *VariableOfAnotherPackageSeesEverything) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *VariableOfAnotherPackageSeesEverything) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters.AnyChange)).
		Owns(&corev1.Secret{}, builder.WithPredicates(filters.Chosen)).
		Complete(r)
}

// PredicateOfAnotherPackage takes its predicate from another package.
type PredicateOfAnotherPackage struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *PredicateOfAnotherPackage) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters.SpecChanged())). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*10 hours by default"
		Complete(r)
}

// PredicateVariableOfAnotherPackage takes its predicates from variables of
// another package. What is selected by labels or annotations is a matter of its
// own.
type PredicateVariableOfAnotherPackage struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateVariableOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *PredicateVariableOfAnotherPackage) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters.NewGeneration)). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*10 hours by default"
		Owns(&corev1.Namespace{}, builder.WithPredicates(filters.Meaningful)).
		Owns(&rbacv1.Role{}, builder.WithPredicates(filters.Meaningful)). // want "blindpredicate: .*edits of rbacv1.Role"
		Complete(r)
}

// TypeOfAnotherPackageIsThePredicate takes a type with a method Update from
// another package.
type TypeOfAnotherPackageIsThePredicate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypeOfAnotherPackageIsThePredicate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *TypeOfAnotherPackageIsThePredicate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(&filters.Generation{Log: true}). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}

// ComparisonInAnotherPackage asks a function of another package whether an
// object has changed.
type ComparisonInAnotherPackage struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ComparisonInAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: thing.Spec.Hosts}}
		return controllerutil.SetControllerReference(thing, role, r.Scheme)
	})
	return ctrl.Result{}, err
}

func relevant(e event.UpdateEvent) bool {
	return changes.OfGeneration(e.ObjectOld, e.ObjectNew)
}

func (r *ComparisonInAnotherPackage) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&rbacv1.Role{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: relevant})). // want "blindpredicate: .*edits of rbacv1.Role"
		Complete(r)
}
