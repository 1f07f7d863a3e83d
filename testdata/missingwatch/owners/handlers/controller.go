// Package fixture watches with handlers and options that look at owner
// references.
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
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// WatchesWithAnOwnerHandler watches Secrets with Watches and the owner handler
// instead of Owns.
type WatchesWithAnOwnerHandler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WatchesWithAnOwnerHandler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := newSecret(thing)
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *WatchesWithAnOwnerHandler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(
			&corev1.Secret{},
			handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner()),
			builder.WithPredicates(predicate.ResourceVersionChangedPredicate{}),
		).
		Complete(r)
}

// OwnerHandlerAcceptsAPlainOwner sets plain owner references, and its handler
// accepts any owner.
type OwnerHandlerAcceptsAPlainOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerHandlerAcceptsAPlainOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := controllerutil.SetOwnerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *OwnerHandlerAcceptsAPlainOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{})).
		Complete(r)
}

// MatchEveryOwnerAcceptsAPlainOwner sets plain owner references and tells Owns
// to match every owner.
type MatchEveryOwnerAcceptsAPlainOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *MatchEveryOwnerAcceptsAPlainOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := controllerutil.SetOwnerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, config)); err != nil {
		return ctrl.Result{}, err
	}
	secret := newSecret(thing)
	secret.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: thingapi.GroupVersion.String(),
		Kind:       "Thing",
		Name:       thing.Name,
		UID:        thing.UID,
	}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *MatchEveryOwnerAcceptsAPlainOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.MatchEveryOwner).
		Owns(&corev1.Secret{}, builder.MatchEveryOwner, builder.WithPredicates(predicate.ResourceVersionChangedPredicate{})).
		Complete(r)
}

// MatchEveryOwnerAndNoOwnerAtAll accepts any owner, and sets none.
type MatchEveryOwnerAndNoOwnerAtAll struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *MatchEveryOwnerAndNoOwnerAtAll) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	err := r.Create(ctx, config) // want "missingwatch: .*ConfigMap.* reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *MatchEveryOwnerAndNoOwnerAtAll) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.MatchEveryOwner).
		Complete(r)
}

// OnlyControllerOwnerHandlerAndAPlainOwner watches Secrets with a handler that
// accepts only controllers, and sets a plain owner reference.
type OnlyControllerOwnerHandlerAndAPlainOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OnlyControllerOwnerHandlerAndAPlainOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := newSecret(thing)
	if err := controllerutil.SetOwnerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, secret) // want "missingwatch: .*Secret.*controller reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *OnlyControllerOwnerHandlerAndAPlainOwner) SetupWithManager(mgr ctrl.Manager) error {
	owner := handler.EnqueueRequestForOwner(
		mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, owner).
		Complete(r)
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}
