// Package fixture gets its predicates from functions, variables and parameters.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// PredicateFromTheCaller is given its predicate by whoever sets it up.
type PredicateFromTheCaller struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateFromTheCaller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *PredicateFromTheCaller) SetupWithManager(mgr ctrl.Manager, filter predicate.Predicate) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filter)).
		Complete(r)
}

// PredicateChosenAtRunTime lets a setting decide which events it gets.
type PredicateChosenAtRunTime struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateChosenAtRunTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *PredicateChosenAtRunTime) SetupWithManager(mgr ctrl.Manager, quiet bool) error {
	var filter predicate.Predicate = predicate.ResourceVersionChangedPredicate{}
	if quiet {
		filter = predicate.GenerationChangedPredicate{}
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filter)).
		Complete(r)
}

// FunctionReturnsThePredicate gets its predicate from a function.
type FunctionReturnsThePredicate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FunctionReturnsThePredicate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// ignoreStatus drops updates of the status.
func ignoreStatus() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			if e.ObjectOld == nil || e.ObjectNew == nil {
				return false
			}
			return e.ObjectNew.GetGeneration() > e.ObjectOld.GetGeneration()
		},
		DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown },
	}
}

func (r *FunctionReturnsThePredicate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(ignoreStatus())). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*10 hours by default"
		Complete(r)
}

// PackageVariableCombinesPredicates keeps a combination of predicates in a
// package variable.
type PackageVariableCombinesPredicates struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PackageVariableCombinesPredicates) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

var important = predicate.And(
	predicate.NewPredicateFuncs(func(obj client.Object) bool { return obj.GetNamespace() != "kube-system" }),
	predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}),
)

func (r *PackageVariableCombinesPredicates) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(important)). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*10 hours by default"
		Complete(r)
}

// PackageVariableHoldsThePredicate keeps its predicate in a package variable.
type PackageVariableHoldsThePredicate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PackageVariableHoldsThePredicate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

var specChanged = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
	},
}

func (r *PackageVariableHoldsThePredicate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(specChanged)). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*10 hours by default"
		Complete(r)
}

// PredicateBehindTwoHelpers hands its builder to a helper that gets the
// predicate from another one.
type PredicateBehindTwoHelpers struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateBehindTwoHelpers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func watchOutputs(b *builder.Builder) *builder.Builder {
	return b.Owns(&corev1.Secret{}, onSpec()) // want "blindpredicate: .*edits of corev1.Secret"
}

func onSpec() builder.Predicates {
	return builder.WithPredicates(predicate.And(predicate.GenerationChangedPredicate{}))
}

func (r *PredicateBehindTwoHelpers) SetupWithManager(mgr ctrl.Manager) error {
	return watchOutputs(ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})).Complete(r)
}

// PredicateComesAsAParameter sets up its watches in a function that is given
// the predicate.
type PredicateComesAsAParameter struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicateComesAsAParameter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *PredicateComesAsAParameter) setup(mgr ctrl.Manager, filter predicate.Predicate) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(filter)).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filter)). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*never repaired"
		Complete(r)
}

func (r *PredicateComesAsAParameter) SetupWithManager(mgr ctrl.Manager) error {
	return r.setup(mgr, predicate.GenerationChangedPredicate{})
}
