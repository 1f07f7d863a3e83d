// Package fixture watches a kind with functions that select objects by their owner references.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const thingLabel = "example.com/thing"

// controllerOf returns a request for the Thing that controls the object.
func controllerOf(_ context.Context, obj client.Object) []reconcile.Request {
	ref := metav1.GetControllerOf(obj)
	if ref == nil || ref.Kind != "Thing" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: ref.Name}}}
}

func labelOf(_ context.Context, obj client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetLabels()[thingLabel]}}}
}

func hasOwner(obj client.Object) bool { return len(obj.GetOwnerReferences()) > 0 }

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{
		Name: thing.Name, Namespace: thing.Namespace, Labels: map[string]string{thingLabel: thing.Name},
	}}
}

// ByLabel creates a Secret that only a label connects to the Thing.
type ByLabel struct{ client.Client }

func (r *ByLabel) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, newSecret(thing)))
}

func (r *ByLabel) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(controllerOf)).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret .* but the watches of its kind select only objects with a controller reference"
}

// Controlled sets the reference by which it maps.
type Controlled struct{ client.Client }

func (r *Controlled) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := newSecret(thing)
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *Controlled) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(controllerOf)).
		Complete(r)
}

// Adopting creates the Secret without a reference and sets it next time.
type Adopting struct{ client.Client }

func (r *Adopting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{Requeue: true}, client.IgnoreAlreadyExists(r.Create(ctx, newSecret(thing)))
	}
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, secret)
}

func (r *Adopting) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(controllerOf)).
		Complete(r)
}

// OnlyOwned maps by the label, but a predicate drops what has no owner.
type OnlyOwned struct{ client.Client }

func (r *OnlyOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, newSecret(thing)))
}

func (r *OnlyOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(labelOf), builder.WithPredicates(predicate.NewPredicateFuncs(hasOwner))).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret .* but the watches of its kind select only objects with an owner reference"
}

// Owning sets an owner reference without a controller, which is enough for the predicate.
type Owning struct{ client.Client }

func (r *Owning) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := newSecret(thing)
	if err := controllerutil.SetOwnerReference(thing, secret, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *Owning) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(labelOf), builder.WithPredicates(predicate.NewPredicateFuncs(hasOwner))).
		Complete(r)
}
