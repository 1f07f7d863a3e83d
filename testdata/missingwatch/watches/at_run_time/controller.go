// Package fixture decides at run time what it watches.
package fixture

import (
	"context"
	"sync/atomic"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// WatchUnderACondition owns a kind only where its API is served, and writes it
// under the same condition.
type WatchUnderACondition struct {
	client.Client
	Scheme     *runtime.Scheme
	hasRoutes  bool
	hasIngress bool
}

var route = schema.GroupVersionKind{Group: "route.openshift.io", Version: "v1", Kind: "Route"}

func (r *WatchUnderACondition) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch {
	case r.hasRoutes:
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(route)
		return ctrl.Result{}, r.expose(ctx, thing, obj)
	case r.hasIngress:
		return ctrl.Result{}, r.expose(ctx, thing, &networkingv1.Ingress{})
	}
	return ctrl.Result{}, nil
}

func (r *WatchUnderACondition) expose(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	obj.SetName(thing.Name)
	obj.SetNamespace(thing.Namespace)
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}

func (r *WatchUnderACondition) SetupWithManager(mgr ctrl.Manager) error {
	_, err := mgr.GetRESTMapper().RESTMapping(route.GroupKind(), route.Version)
	r.hasRoutes = err == nil
	r.hasIngress = !r.hasRoutes

	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	if r.hasRoutes {
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(route)
		b = b.Owns(obj)
	} else {
		b = b.Owns(&networkingv1.Ingress{})
	}
	return b.Complete(r)
}

// KindsToWatchComeFromAConfiguration watches kinds that a file names, beside
// those that it writes; any kind may be among them.
type KindsToWatchComeFromAConfiguration struct {
	client.Client
	Scheme *runtime.Scheme
	Kinds  []schema.GroupVersionKind
}

func (r *KindsToWatchComeFromAConfiguration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *KindsToWatchComeFromAConfiguration) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, gvk := range r.Kinds {
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(gvk)
		b.Owns(obj)
	}
	return b.Complete(r)
}

// WatchStartedAtRunTimeForAConstantKind starts the watch of an optional kind
// from Reconcile, once.
type WatchStartedAtRunTimeForAConstantKind struct {
	client.Client
	Scheme     *runtime.Scheme
	cache      cache.Cache
	mapper     meta.RESTMapper
	controller controller.Controller
	watching   atomic.Bool
}

func (r *WatchStartedAtRunTimeForAConstantKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.watchAutoscalers(); err != nil {
		return ctrl.Result{}, err
	}
	autoscaler := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, autoscaler, func() error {
		autoscaler.Spec.MaxReplicas = 5
		return controllerutil.SetControllerReference(thing, autoscaler, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *WatchStartedAtRunTimeForAConstantKind) watchAutoscalers() error {
	if !r.watching.CompareAndSwap(false, true) {
		return nil
	}
	toOwner := handler.EnqueueRequestForOwner(r.Scheme, r.mapper, &thingapi.Thing{}, handler.OnlyControllerOwner())
	var kind client.Object = &autoscalingv2.HorizontalPodAutoscaler{}
	return r.controller.Watch(source.Kind(r.cache, kind, toOwner))
}

func (r *WatchStartedAtRunTimeForAConstantKind) SetupWithManager(mgr ctrl.Manager) error {
	c, err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Build(r)
	if err != nil {
		return err
	}
	r.controller, r.cache, r.mapper = c, mgr.GetCache(), mgr.GetRESTMapper()
	return nil
}

// WatchStartedAtRunTimeForAnUnknownKind lets its user name the kind to create,
// and starts a watch for it while it runs. Nobody can tell from the source what
// is watched.
type WatchStartedAtRunTimeForAnUnknownKind struct {
	client.Client
	Scheme     *runtime.Scheme
	cache      cache.Cache
	mapper     meta.RESTMapper
	controller controller.Controller
}

func (r *WatchStartedAtRunTimeForAnUnknownKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	gvk := schema.FromAPIVersionAndKind(thing.Spec.Config["apiVersion"], thing.Spec.Config["kind"])
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(gvk)
	if err := r.watch(obj); err != nil {
		return ctrl.Result{}, err
	}
	obj.SetName(thing.Name)
	obj.SetNamespace(thing.Namespace)
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
		return ctrl.Result{}, err
	}
	config := newConfigMap(thing)
	if err := r.watch(config); err != nil {
		return ctrl.Result{}, err
	}
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *WatchStartedAtRunTimeForAnUnknownKind) watch(obj client.Object) error {
	toOwner := handler.EnqueueRequestForOwner(r.Scheme, r.mapper, &thingapi.Thing{})
	return r.controller.Watch(source.Kind(r.cache, obj, toOwner))
}

func (r *WatchStartedAtRunTimeForAnUnknownKind) SetupWithManager(mgr ctrl.Manager) error {
	c, err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Build(r)
	if err != nil {
		return err
	}
	r.controller, r.cache, r.mapper = c, mgr.GetCache(), mgr.GetRESTMapper()
	return nil
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}
