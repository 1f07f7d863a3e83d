// Package controller writes unstructured objects.
package controller

import (
	"context"
	"strconv"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TimeInAMapLiteralOfAnUnstructuredObject writes an unstructured object made of
// map literals.
type TimeInAMapLiteralOfAnUnstructuredObject struct {
	client.Client
}

func (r *TimeInAMapLiteralOfAnUnstructuredObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	monitor := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "monitoring.example.com/v1",
		"kind":       "Probe",
		"metadata": map[string]any{
			"name":      req.Name,
			"namespace": req.Namespace,
			"labels":    map[string]any{"rendered": strconv.FormatInt(time.Now().Unix(), 10)}, // want "unstablewrite: time\\.Now "
		},
		"spec": map[string]any{"interval": "30s"},
	}}
	return ctrl.Result{}, r.Patch(ctx, monitor, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}

// TimeInANestedFieldOfAnUnstructuredObject sets a field of an unstructured
// object to the time.
type TimeInANestedFieldOfAnUnstructuredObject struct {
	client.Client
}

func (r *TimeInANestedFieldOfAnUnstructuredObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	route := &unstructured.Unstructured{}
	route.SetGroupVersionKind(schema.GroupVersionKind{Group: "routes.example.com", Version: "v1", Kind: "Route"})
	if err := r.Get(ctx, req.NamespacedName, route); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	now := time.Now().UTC().Format(time.RFC3339) // want "unstablewrite: time\\.Now "
	if err := unstructured.SetNestedField(route.Object, now, "spec", "refreshedAt"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, route)
}

// UnstructuredContentFromAMapUnderApply applies an unstructured object whose
// containers come out of a map.
type UnstructuredContentFromAMapUnderApply struct {
	client.Client
}

func (r *UnstructuredContentFromAMapUnderApply) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var subjects []any
	for user := range thing.Spec.Config { // want "unstablewrite: map order "
		subjects = append(subjects, map[string]any{"kind": "User", "name": user})
	}
	binding := &unstructured.Unstructured{}
	binding.SetAPIVersion("rbac.authorization.k8s.io/v1")
	binding.SetKind("RoleBinding")
	binding.SetName(thing.Name)
	binding.SetNamespace(thing.Namespace)
	if err := unstructured.SetNestedSlice(binding.Object, subjects, "subjects"); err != nil {
		return ctrl.Result{}, err
	}
	config := client.ApplyConfigurationFromUnstructured(binding)
	return ctrl.Result{}, r.Apply(ctx, config, client.FieldOwner("thing"))
}

// UnstructuredSliceOfMapKeysByTheDynamicClient edits a custom resource without
// Go types: the keys of a map become a list in its spec.
type UnstructuredSliceOfMapKeysByTheDynamicClient struct {
	client.Client
	Dynamic dynamic.Interface
}

var pools = schema.GroupVersionResource{Group: "pools.example.com", Version: "v1", Resource: "pools"}

func (r *UnstructuredSliceOfMapKeysByTheDynamicClient) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pool, err := r.Dynamic.Resource(pools).Namespace(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
	if err != nil {
		return ctrl.Result{}, err
	}
	var members []string
	for name := range thing.Spec.Config { // want "unstablewrite: map order "
		members = append(members, name)
	}
	if err := unstructured.SetNestedStringSlice(pool.Object, members, "spec", "members"); err != nil {
		return ctrl.Result{}, err
	}
	_, err = r.Dynamic.Resource(pools).Namespace(req.Namespace).Update(ctx, pool, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}

// TypedObjectConvertedForTheDynamicClient converts a typed object to
// unstructured content and applies it with the dynamic client.
type TypedObjectConvertedForTheDynamicClient struct {
	client.Client
	Dynamic dynamic.Interface
}

var deployments = appsv1.SchemeGroupVersion.WithResource("deployments")

func (r *TypedObjectConvertedForTheDynamicClient) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	container := corev1.Container{Name: "main"}
	for k, v := range thing.Spec.Config { // want "unstablewrite: map order "
		container.Env = append(container.Env, corev1.EnvVar{Name: k, Value: v})
	}
	deploy.Spec.Template.Spec.Containers = []corev1.Container{container}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(deploy)
	if err != nil {
		return ctrl.Result{}, err
	}
	_, err = r.Dynamic.Resource(deployments).Namespace(thing.Namespace).
		Apply(ctx, thing.Name, &unstructured.Unstructured{Object: content}, metav1.ApplyOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}
