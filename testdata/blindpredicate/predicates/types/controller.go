// Package fixture has predicates that are types of its own.
package fixture

import (
	"context"
	"reflect"

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

// TypeWithAnUpdateOfItsOwn embeds the library predicate, and lets all updates
// through.
type TypeWithAnUpdateOfItsOwn struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypeWithAnUpdateOfItsOwn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

type everything struct {
	predicate.GenerationChangedPredicate
}

// Update implements predicate.Predicate.
func (everything) Update(e event.UpdateEvent) bool {
	return e.ObjectNew != nil
}

func (r *TypeWithAnUpdateOfItsOwn) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.Secret{}, builder.WithPredicates(everything{})).
		Complete(r)
}

// TypeSwitchLetsConfigmapsThrough compares the generations of Things alone.
type TypeSwitchLetsConfigmapsThrough struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypeSwitchLetsConfigmapsThrough) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func changed(e event.UpdateEvent) bool {
	if _, ok := e.ObjectNew.(*thingapi.Thing); !ok {
		return true
	}
	return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
}

func (r *TypeSwitchLetsConfigmapsThrough) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		WithEventFilter(predicate.Funcs{UpdateFunc: changed}).
		Complete(r)
}

// ObjectOfAnotherTypePasses asks for Things, and lets all that is none through.
type ObjectOfAnotherTypePasses struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ObjectOfAnotherTypePasses) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

type thingChanged struct{ predicate.Funcs }

// Update implements predicate.Predicate.
func (thingChanged) Update(e event.UpdateEvent) bool {
	before, ok := e.ObjectOld.(*thingapi.Thing)
	if !ok {
		return true
	}
	return before.Generation != e.ObjectNew.GetGeneration()
}

func (r *ObjectOfAnotherTypePasses) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(thingChanged{}).
		Complete(r)
}

// OwnTypeAsksTheLibraryPredicate has a predicate of its own that asks the
// library predicate and looks for deletion.
type OwnTypeAsksTheLibraryPredicate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnTypeAsksTheLibraryPredicate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

type relevant struct {
	predicate.GenerationChangedPredicate
}

// Update implements predicate.Predicate.
func (p relevant) Update(e event.UpdateEvent) bool {
	return p.GenerationChangedPredicate.Update(e) || !e.ObjectNew.GetDeletionTimestamp().IsZero()
}

func (r *OwnTypeAsksTheLibraryPredicate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(relevant{})). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}

// OwnTypeEmbedsTheLibraryPredicate embeds the library predicate, and has its
// own opinion of creations alone.
type OwnTypeEmbedsTheLibraryPredicate struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnTypeEmbedsTheLibraryPredicate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

type quietStart struct {
	predicate.GenerationChangedPredicate
}

// Create implements predicate.Predicate.
func (quietStart) Create(event.CreateEvent) bool { return false }

func (r *OwnTypeEmbedsTheLibraryPredicate) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(quietStart{})). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}

// TypeSwitchForgetsConfigmaps looks closely at Secrets, and compares
// generations of all else.
type TypeSwitchForgetsConfigmaps struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypeSwitchForgetsConfigmaps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func secretChanged(e event.UpdateEvent) bool {
	switch after := e.ObjectNew.(type) {
	case *corev1.Secret:
		before, ok := e.ObjectOld.(*corev1.Secret)
		return !ok || !reflect.DeepEqual(before.Data, after.Data)
	default:
		return e.ObjectOld.GetGeneration() != after.GetGeneration()
	}
}

func (r *TypeSwitchForgetsConfigmaps) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.ConfigMap{}).
		WithEventFilter(predicate.Funcs{UpdateFunc: secretChanged}). // want "blindpredicate: .*edits of corev1.ConfigMap, which"
		Complete(r)
}
