// Package fixture has typed controllers and requests.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// TypedControllerOfPlainRequests builds with the typed builder, instantiated
// with the usual requests, and typed kinds as raw sources.
type TypedControllerOfPlainRequests struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypedControllerOfPlainRequests) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func thingOfConfig(_ context.Context, config *corev1.ConfigMap) []reconcile.Request {
	owner := metav1.GetControllerOf(config)
	if owner == nil {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: config.Namespace, Name: owner.Name}}}
}

func (r *TypedControllerOfPlainRequests) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[reconcile.Request](mgr).
		Named("thing").
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &thingapi.Thing{},
			&handler.TypedEnqueueRequestForObject[*thingapi.Thing]{})).
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &corev1.ConfigMap{},
			handler.TypedEnqueueRequestsFromMapFunc(thingOfConfig))).
		Complete(r)
}

// TypedControllerWithItsOwnRequests has requests of its own type, and watches
// its output with a handler that makes such requests.
type TypedControllerWithItsOwnRequests struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypedControllerWithItsOwnRequests) Reconcile(ctx context.Context, req ThingRequest) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, service))
}

type queue = workqueue.TypedRateLimitingInterface[ThingRequest]

func enqueueThing(_ context.Context, e event.TypedCreateEvent[client.Object], q queue) {
	q.Add(ThingRequest{NamespacedName: client.ObjectKeyFromObject(e.Object), Reason: "created"})
}

func enqueueController(obj client.Object, q queue) {
	if owner := metav1.GetControllerOf(obj); owner != nil && owner.Kind == "Thing" {
		key := types.NamespacedName{Namespace: obj.GetNamespace(), Name: owner.Name}
		q.Add(ThingRequest{NamespacedName: key, Reason: "output changed"})
	}
}

var ofOutputs = handler.TypedFuncs[client.Object, ThingRequest]{
	UpdateFunc: func(_ context.Context, e event.TypedUpdateEvent[client.Object], q queue) {
		enqueueController(e.ObjectNew, q)
	},
	DeleteFunc: func(_ context.Context, e event.TypedDeleteEvent[client.Object], q queue) {
		enqueueController(e.Object, q)
	},
}

func (r *TypedControllerWithItsOwnRequests) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[ThingRequest](mgr).
		Named("thing").
		Watches(&thingapi.Thing{}, handler.TypedFuncs[client.Object, ThingRequest]{CreateFunc: enqueueThing}).
		Watches(&corev1.Service{}, ofOutputs).
		Complete(r)
}

// TypedRequestControllerMissesAnOutput has requests of its own type. Its
// builder has no Owns; Services are watched through a typed handler, ConfigMaps
// are not.
type TypedRequestControllerMissesAnOutput struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TypedRequestControllerMissesAnOutput) Reconcile(ctx context.Context, req ThingRequest) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	for _, obj := range []client.Object{newService(thing), newConfigMap(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return reconcile.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, nil
}

func requestForThing(_ context.Context, thing client.Object) []ThingRequest {
	return []ThingRequest{{NamespacedName: client.ObjectKeyFromObject(thing), Reason: "thing changed"}}
}

func requestForController(_ context.Context, obj client.Object) []ThingRequest {
	owner := metav1.GetControllerOf(obj)
	if owner == nil || owner.Kind != "Thing" {
		return nil
	}
	key := types.NamespacedName{Namespace: obj.GetNamespace(), Name: owner.Name}
	return []ThingRequest{{NamespacedName: key, Reason: "output changed"}}
}

func (r *TypedRequestControllerMissesAnOutput) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[ThingRequest](mgr).
		Named("thing").
		Watches(&thingapi.Thing{}, handler.TypedEnqueueRequestsFromMapFunc(requestForThing)).
		Watches(&corev1.Service{}, handler.TypedEnqueueRequestsFromMapFunc(requestForController)).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

// ThingRequest names a Thing and says why it is looked at.
type ThingRequest struct {
	types.NamespacedName
	Reason string
}

func newService(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"thing": thing.Name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}},
		},
	}
}
