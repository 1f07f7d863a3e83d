// Package fixture watches Secrets whose names end in one word, and makes others.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/watches/endings/names"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// named returns the requests for the Things that are in a set.
func named(things []thingapi.Thing, in map[string]struct{}) (requests []reconcile.Request) {
	for i := range things {
		if _, ok := in[things[i].Name]; ok {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things[i])})
		}
	}
	return requests
}

// ofTrust returns a function that maps the Secrets that Things trust.
func ofTrust(c client.Client) handler.MapFunc {
	return func(ctx context.Context, secret client.Object) []reconcile.Request {
		var things thingapi.ThingList
		if err := c.List(ctx, &things, client.InNamespace(secret.GetNamespace())); err != nil {
			return nil
		}
		trusting := make(map[string]struct{})
		for i := range things.Items {
			if names.Trust(&things.Items[i]) == secret.GetName() {
				trusting[things.Items[i].Name] = struct{}{}
			}
		}
		if len(trusting) == 0 {
			return nil
		}
		return named(things.Items, trusting)
	}
}

// Unseen makes Secrets with keys.
type Unseen struct{ client.Client }

func (r *Unseen) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: names.Key(thing)}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, names.Secret(key)))
}

func (r *Unseen) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofTrust(r.Client))).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret .* but the watches of its kind select only objects with a name that a spec has or ends in -trust"
}

// Trusted makes the Secrets that Things trust.
type Trusted struct{ client.Client }

func (r *Trusted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: names.Trust(thing)}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, names.Secret(key)))
}

func (r *Trusted) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofTrust(r.Client))).
		Complete(r)
}

// Longer makes Secrets whose names end in more than that.
type Longer struct{ client.Client }

func (r *Longer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: thing.Name + "-and-trust"}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, names.Secret(key)))
}

func (r *Longer) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofTrust(r.Client))).
		Complete(r)
}

// Named makes Secrets with names in specs that end in something.
type Named struct{ client.Client }

func (r *Named) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef + "-key"}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, names.Secret(key)))
}

func (r *Named) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofTrust(r.Client))).
		Complete(r)
}

// OneOfTwo makes Secrets with one of two names.
type OneOfTwo struct{ client.Client }

func (r *OneOfTwo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: names.Key(thing)}
	if thing.Annotations["trusted"] != "" {
		key.Name = thing.Name + "-trust"
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, names.Secret(key)))
}

func (r *OneOfTwo) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(ofTrust(r.Client))).
		Complete(r)
}

// MapsAny maps Secrets whose names may end in anything.
type MapsAny struct{ client.Client }

func (r *MapsAny) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: names.Key(thing)}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, names.Secret(key)))
}

func (r *MapsAny) ofAny(ctx context.Context, secret client.Object) []reconcile.Request {
	var things thingapi.ThingList
	if err := r.List(ctx, &things, client.InNamespace(secret.GetNamespace())); err != nil {
		return nil
	}
	for i := range things.Items {
		if names.Any(&things.Items[i]) == secret.GetName() {
			return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])}}
		}
	}
	return nil
}

func (r *MapsAny) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.ofAny)).
		Complete(r)
}
