// Package fixture lets its user name the kind to create, and starts a watch for it
// while it runs. Nobody can tell from the source what is watched.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
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

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme     *runtime.Scheme
	cache      cache.Cache
	mapper     meta.RESTMapper
	controller controller.Controller
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func (r *ThingReconciler) watch(obj client.Object) error {
	toOwner := handler.EnqueueRequestForOwner(r.Scheme, r.mapper, &thingapi.Thing{})
	return r.controller.Watch(source.Kind(r.cache, obj, toOwner))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	c, err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Build(r)
	if err != nil {
		return err
	}
	r.controller, r.cache, r.mapper = c, mgr.GetCache(), mgr.GetRESTMapper()
	return nil
}
