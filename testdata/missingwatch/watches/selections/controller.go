// Package fixture watches a kind with functions that select objects by their names.
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
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	certificates = "thing-certificates"
	settings     = "thing-settings"
)

func configMap(thing *thingapi.Thing, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: thing.Namespace}}
}

// all returns a request for each Thing of a namespace.
func all(ctx context.Context, c client.Client, namespace string) (requests []reconcile.Request) {
	things := &thingapi.ThingList{}
	if err := c.List(ctx, things, client.InNamespace(namespace)); err != nil {
		return nil
	}
	for i := range things.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])})
	}
	return requests
}

// MapsAnotherName writes settings, and only maps certificates.
type MapsAnotherName struct{ client.Client }

func (r *MapsAnotherName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, configMap(thing, settings)))
}

func (r *MapsAnotherName) ofCertificates(ctx context.Context, obj client.Object) []reconcile.Request {
	if obj.GetName() != certificates {
		return nil
	}
	return all(ctx, r.Client, obj.GetNamespace())
}

func (r *MapsAnotherName) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.ofCertificates)).
		Complete(r) // want "missingwatch: Reconcile creates corev1.ConfigMap .* but the watches of its kind select only objects with the name thing-certificates"
}

// MapsBothNames writes settings, and maps them as well.
type MapsBothNames struct{ client.Client }

func (r *MapsBothNames) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, configMap(thing, settings)))
}

func (r *MapsBothNames) ofBoth(ctx context.Context, obj client.Object) []reconcile.Request {
	switch obj.GetName() {
	case certificates, settings:
		return all(ctx, r.Client, obj.GetNamespace())
	}
	return nil
}

func (r *MapsBothNames) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.ofBoth)).
		Complete(r)
}

// MapsNamesOfTheThing names its ConfigMap after the Thing, as the Thing's spec may name
// another one.
type MapsNamesOfTheThing struct{ client.Client }

func (r *MapsNamesOfTheThing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, configMap(thing, thing.Name)))
}

func (r *MapsNamesOfTheThing) ofName(ctx context.Context, obj client.Object) []reconcile.Request {
	things := &thingapi.ThingList{}
	if err := r.List(ctx, things, client.InNamespace(obj.GetNamespace())); err != nil {
		return nil
	}
	for i := range things.Items {
		if thing := &things.Items[i]; thing.Name == obj.GetName() {
			return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(thing)}}
		}
	}
	return nil
}

func (r *MapsNamesOfTheThing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.ofName)).
		Complete(r)
}

// OwnsWhatItMakes owns the settings, and maps the certificates, which somebody else makes.
// It forgets the reference of the other settings.
type OwnsWhatItMakes struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnsWhatItMakes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	owned, other := configMap(thing, thing.Name), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: settings, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, owned, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, owned); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, other)) // want "missingwatch: corev1.Secret is watched by Owns but this create sets no controller reference"
}

func isCertificate(obj client.Object) bool { return obj.GetName() == certificates }

func (r *OwnsWhatItMakes) any(ctx context.Context, obj client.Object) []reconcile.Request {
	return all(ctx, r.Client, obj.GetNamespace())
}

func (r *OwnsWhatItMakes) SetupWithManager(mgr ctrl.Manager) error {
	only := builder.WithPredicates(predicate.NewPredicateFuncs(isCertificate))
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.any), only).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.any), only).
		Complete(r)
}
