// Package fixture writes unstructured objects.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"
)

// UnstructuredKindIsOwnedAsUnstructured writes and owns a kind without Go
// types.
type UnstructuredKindIsOwnedAsUnstructured struct {
	client.Client
	Scheme *runtime.Scheme
}

func newServiceMonitor() *unstructured.Unstructured {
	monitor := &unstructured.Unstructured{}
	monitor.SetGroupVersionKind(serviceMonitor)
	return monitor
}

func (r *UnstructuredKindIsOwnedAsUnstructured) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	monitor := newServiceMonitor()
	monitor.SetName(thing.Name)
	monitor.SetNamespace(thing.Namespace)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, monitor, func() error {
		endpoints := []any{map[string]any{"port": "http"}}
		if err := unstructured.SetNestedSlice(monitor.Object, endpoints, "spec", "endpoints"); err != nil {
			return err
		}
		return controllerutil.SetControllerReference(thing, monitor, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *UnstructuredKindIsOwnedAsUnstructured) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(newServiceMonitor()).
		Complete(r)
}

// UnstructuredWriteAndTypedWatchAreOneKind writes an unstructured Deployment
// and owns the Go type.
type UnstructuredWriteAndTypedWatchAreOneKind struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *UnstructuredWriteAndTypedWatchAreOneKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1",
		"kind":       "Deployment",
		"spec":       map[string]any{"replicas": int64(1)},
	}}
	deployment.SetName(thing.Name)
	deployment.SetNamespace(thing.Namespace)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Patch(ctx, deployment, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
	return ctrl.Result{}, err
}

func (r *UnstructuredWriteAndTypedWatchAreOneKind) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}

// KindComesFromATemplateOfTheUser creates whatever the user put into a
// ConfigMap. No kind is known before it runs.
type KindComesFromATemplateOfTheUser struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *KindComesFromATemplateOfTheUser) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	template := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, template); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(template.Data["object"]), &obj.Object); err != nil {
		return ctrl.Result{}, err
	}
	obj.SetNamespace(thing.Namespace)
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Patch(ctx, obj, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
	return ctrl.Result{}, err
}

func (r *KindComesFromATemplateOfTheUser) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// UnstructuredObjectWithoutOwnerUnderOwns owns an unstructured kind and applies
// an object of that kind with labels instead of an owner.
type UnstructuredObjectWithoutOwnerUnderOwns struct {
	client.Client
	Scheme *runtime.Scheme
}

func newRoute() *unstructured.Unstructured {
	route := &unstructured.Unstructured{}
	route.SetGroupVersionKind(schema.GroupVersionKind{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute"})
	return route
}

func (r *UnstructuredObjectWithoutOwnerUnderOwns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	route := newRoute()
	route.SetName(thing.Name)
	route.SetNamespace(thing.Namespace)
	route.SetLabels(map[string]string{"thing": thing.Name})
	hosts := make([]any, 0, len(thing.Spec.Hosts))
	for _, host := range thing.Spec.Hosts {
		hosts = append(hosts, host)
	}
	if err := unstructured.SetNestedSlice(route.Object, hosts, "spec", "hostnames"); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Patch(ctx, route, client.Apply, client.FieldOwner("thing")) // want "missingwatch: .*HTTPRoute.*controller reference"
	return ctrl.Result{}, err
}

func (r *UnstructuredObjectWithoutOwnerUnderOwns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(newRoute()).
		Complete(r)
}

// UnstructuredServiceMonitorIsNotWatched keeps a ServiceMonitor without
// importing its Go types: the kind is a constant all the same.
type UnstructuredServiceMonitorIsNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *UnstructuredServiceMonitorIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	monitor := &unstructured.Unstructured{}
	monitor.SetGroupVersionKind(serviceMonitor)
	monitor.SetName(thing.Name)
	monitor.SetNamespace(thing.Namespace)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, monitor, func() error {
		endpoints := []any{map[string]any{"port": "http"}}
		if err := unstructured.SetNestedSlice(monitor.Object, endpoints, "spec", "endpoints"); err != nil {
			return err
		}
		return controllerutil.SetControllerReference(thing, monitor, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *UnstructuredServiceMonitorIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ServiceMonitor"
}

// ConvertedToUnstructuredBeforeApplyIsNotWatched converts typed objects before
// it applies them. The kind is that of the typed object.
type ConvertedToUnstructuredBeforeApplyIsNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ConvertedToUnstructuredBeforeApplyIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	account := &corev1.ServiceAccount{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"},
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	if err := controllerutil.SetControllerReference(thing, account, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(account)
	if err != nil {
		return ctrl.Result{}, err
	}
	object := &unstructured.Unstructured{Object: content}
	return ctrl.Result{}, r.Patch(ctx, object, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}

func (r *ConvertedToUnstructuredBeforeApplyIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

var serviceMonitor = schema.GroupVersionKind{Group: "monitoring.coreos.com", Version: "v1", Kind: "ServiceMonitor"}
