// Package fixture watches its outputs with handlers of its own.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// HandlerTypeOfTheProject watches Secrets with an event handler of its own.
type HandlerTypeOfTheProject struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HandlerTypeOfTheProject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := newSecret(thing)
	secret.Labels = map[string]string{"thing": thing.Name}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// labelHandler enqueues the Thing that a label names.
type labelHandler struct{}

func (labelHandler) enqueue(obj client.Object, q queue) {
	if name, ok := obj.GetLabels()["thing"]; ok {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: name}})
	}
}

func (h labelHandler) Create(_ context.Context, e event.CreateEvent, q queue) { h.enqueue(e.Object, q) }

func (h labelHandler) Update(_ context.Context, e event.UpdateEvent, q queue) {
	h.enqueue(e.ObjectNew, q)
}

func (h labelHandler) Delete(_ context.Context, e event.DeleteEvent, q queue) { h.enqueue(e.Object, q) }

func (h labelHandler) Generic(_ context.Context, e event.GenericEvent, q queue) {
	h.enqueue(e.Object, q)
}

func (r *HandlerTypeOfTheProject) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, labelHandler{}).
		Complete(r)
}

// WatchedByLabelWithAMapFunction cannot own a ClusterRole from a namespaced
// Thing; it watches the kind and maps it back by its labels.
type WatchedByLabelWithAMapFunction struct {
	client.Client
	Scheme *runtime.Scheme
}

const (
	nameLabel      = "things.example.com/name"
	namespaceLabel = "things.example.com/namespace"
)

func (r *WatchedByLabelWithAMapFunction) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace + "-" + thing.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Labels = map[string]string{nameLabel: thing.Name, namespaceLabel: thing.Namespace}
		role.Rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get"}}}
		return nil
	})
	return ctrl.Result{}, err
}

func thingOfLabels(_ context.Context, obj client.Object) []reconcile.Request {
	name, ok := obj.GetLabels()[nameLabel]
	if !ok {
		return nil
	}
	key := types.NamespacedName{Namespace: obj.GetLabels()[namespaceLabel], Name: name}
	return []reconcile.Request{{NamespacedName: key}}
}

func (r *WatchedByLabelWithAMapFunction) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&rbacv1.ClusterRole{}, handler.EnqueueRequestsFromMapFunc(thingOfLabels)).
		Complete(r)
}

// OutputWithoutOwnerIsMappedByAList has no owner on its ConfigMap; its map
// function lists the Things and enqueues each of them.
type OutputWithoutOwnerIsMappedByAList struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OutputWithoutOwnerIsMappedByAList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	config.Namespace = "shared"
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *OutputWithoutOwnerIsMappedByAList) allThings(ctx context.Context, _ client.Object) []reconcile.Request {
	things := &thingapi.ThingList{}
	if err := r.List(ctx, things); err != nil {
		return nil
	}
	requests := make([]reconcile.Request, 0, len(things.Items))
	for i := range things.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])})
	}
	return requests
}

func (r *OutputWithoutOwnerIsMappedByAList) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.allThings)).
		Complete(r)
}

// MapFunctionThatReturnsNothingIsNoWatch watches Secrets with a map function
// that was left a stub, so no event of a Secret reaches the reconciler.
type MapFunctionThatReturnsNothingIsNoWatch struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *MapFunctionThatReturnsNothingIsNoWatch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *MapFunctionThatReturnsNothingIsNoWatch) thingsOfSecret(context.Context, client.Object) []reconcile.Request {
	return nil
}

func (r *MapFunctionThatReturnsNothingIsNoWatch) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.thingsOfSecret)).
		Complete(r) // want "missingwatch: .*Secret"
}

// HandlerWithoutFunctionsIsNoWatch watches ConfigMaps only to keep them in the
// cache: its handler has no functions and enqueues nothing.
type HandlerWithoutFunctionsIsNoWatch struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HandlerWithoutFunctionsIsNoWatch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *HandlerWithoutFunctionsIsNoWatch) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.Funcs{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
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
