// Package fixture watches a kind, but drops what says that an object is gone.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// sync creates a Secret for a Thing.
func sync(ctx context.Context, c client.Client, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := c.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, secret, c.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(c.Create(ctx, secret))
}

// inNamespace drops the events of other namespaces, and all deletions.
func inNamespace(namespace string) predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return e.Object.GetNamespace() == namespace },
		UpdateFunc: func(e event.UpdateEvent) bool { return e.ObjectNew.GetNamespace() == namespace },
		DeleteFunc: func(event.DeleteEvent) bool { return false },
	}
}

type FilterOfTheBuilder struct{ client.Client }

func (r *FilterOfTheBuilder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *FilterOfTheBuilder) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(inNamespace("things")). // want "missingwatch: predicate of corev1.Secret drops its deletions but Reconcile creates it .*; drift waits for"
		Complete(r)
}

// FilterOfFor drops the deletions of the controller's own kind only.
type FilterOfFor struct{ client.Client }

func (r *FilterOfFor) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *FilterOfFor) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(inNamespace("things"))).
		Owns(&corev1.Secret{}).
		Complete(r)
}

// onlyThings drops the deletions of objects of a kind.
type onlyThings struct{ predicate.Funcs }

func (onlyThings) Delete(e event.DeleteEvent) bool {
	_, ok := e.Object.(*thingapi.Thing)
	return ok
}

type FilterOfAType struct{ client.Client }

func (r *FilterOfAType) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *FilterOfAType) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.And(predicate.ResourceVersionChangedPredicate{}, onlyThings{}))). // want "missingwatch: predicate of corev1.Secret drops its deletions"
		Complete(r)
}

type OneOfTwoFilters struct{ client.Client }

func (r *OneOfTwoFilters) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *OneOfTwoFilters) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.Or(predicate.ResourceVersionChangedPredicate{}, onlyThings{}))).
		Complete(r)
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// changes makes requests of the owners of objects that are there.
type changes struct{}

func (h changes) Create(_ context.Context, e event.CreateEvent, q queue) { h.add(e.Object, q) }
func (h changes) Update(_ context.Context, e event.UpdateEvent, q queue) { h.add(e.ObjectNew, q) }
func (changes) Delete(context.Context, event.DeleteEvent, queue)         {}
func (changes) Generic(context.Context, event.GenericEvent, queue)       {}

func (changes) add(obj client.Object, q queue) {
	if owner := metav1.GetControllerOf(obj); owner != nil {
		q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Namespace: obj.GetNamespace(), Name: owner.Name}})
	}
}

type OwnHandler struct{ client.Client }

func (r *OwnHandler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *OwnHandler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, changes{}).
		Complete(r) // want "missingwatch: handler of corev1.Secret drops its deletions"
}

// TwoWatches has another watch, which sees them.
type TwoWatches struct{ client.Client }

func (r *TwoWatches) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *TwoWatches) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Watches(&corev1.Secret{}, changes{}).
		Complete(r)
}

// NoEvent lets none of the Secret's events pass.
type NoEvent struct{ client.Client }

func (r *NoEvent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return sync(ctx, r.Client, req)
}

func (r *NoEvent) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.NewPredicateFuncs(func(obj client.Object) bool {
			thing, ok := obj.(*thingapi.Thing)
			return ok && thing.Name != ""
		})).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret .* but the watches of its kind let none of its events pass"
}

// OfNamespaces creates a Namespace. When that is gone, so is the Secret in it.
type OfNamespaces struct{ client.Client }

func (r *OfNamespaces) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: req.Name}}
	if err := r.Create(ctx, namespace); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	return sync(ctx, r.Client, req)
}

func (r *OfNamespaces) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Watches(&corev1.Namespace{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(inNamespace("things"))).
		Complete(r)
}

// settle creates a Secret for all objects.
func settle(ctx context.Context, c client.Client) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "settings", Namespace: "things"}}
	return client.IgnoreAlreadyExists(c.Create(ctx, secret))
}

// SettlesThings watches the Secret, but lets none of its events pass.
type SettlesThings struct{ client.Client }

func (r *SettlesThings) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, settle(ctx, r.Client)
}

func (r *SettlesThings) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, &handler.EnqueueRequestForObject{}, builder.WithPredicates(predicate.NewPredicateFuncs(func(obj client.Object) bool {
			_, ok := obj.(*corev1.ConfigMap)
			return ok
		}))).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret .* but the watches of its kind let none of its events pass"
}

// SettlesParts relies on the other controller. That this one is blind is said of that one.
type SettlesParts struct{ client.Client }

func (r *SettlesParts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, settle(ctx, r.Client)
}

func (r *SettlesParts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Complete(r)
}
