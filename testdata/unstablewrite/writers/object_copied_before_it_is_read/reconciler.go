// Package controller copies an object before it reads that from the API server.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// restore returns a function that gives the object what the copy has.
func restore(obj, wanted client.Object) controllerutil.MutateFn {
	return func() error {
		switch obj := obj.(type) {
		case *corev1.ConfigMap:
			obj.Data = wanted.(*corev1.ConfigMap).Data
		case *corev1.Service:
			obj.Spec.Ports = wanted.(*corev1.Service).Spec.Ports
		}
		return nil
	}
}

func applyAll(ctx context.Context, c client.Client, objects []client.Object) error {
	for _, obj := range objects {
		wanted := obj.DeepCopyObject().(client.Object)
		if _, err := controllerutil.CreateOrUpdate(ctx, c, obj, restore(obj, wanted)); err != nil {
			return err
		}
	}
	return nil
}

func service(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
}

func config(thing *thingapi.Thing, keys []string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       map[string]string{"keys": strings.Join(keys, ",")},
	}
}

// KeysInAnyOrder applies objects through the copies.
type KeysInAnyOrder struct {
	client.Client
}

func (r *KeysInAnyOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var keys []string
	for key := range thing.Spec.Config { // want "unstablewrite: map order reaches ConfigMap data\\[keys\\] in CreateOrUpdate"
		keys = append(keys, key)
	}
	return ctrl.Result{}, applyAll(ctx, r.Client, []client.Object{service(&thing), config(&thing, keys)})
}

// SortedKeys applies objects through the copies.
type SortedKeys struct {
	client.Client
}

func (r *SortedKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var keys []string
	for key := range thing.Spec.Config {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return ctrl.Result{}, applyAll(ctx, r.Client, []client.Object{service(&thing), config(&thing, keys)})
}

// keep creates the object. It leaves one that is there as it was read.
func keep(ctx context.Context, c client.Client, cm *corev1.ConfigMap) error {
	_, err := controllerutil.CreateOrUpdate(ctx, c, cm, func() error {
		stored := cm.DeepCopy()
		cm.Data = map[string]string{"mode": "fast"}
		cm.Data = stored.Data
		return nil
	})
	return err
}

// StoredKeys copies the object after it was read.
type StoredKeys struct {
	client.Client
}

func (r *StoredKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var keys []string
	for key := range thing.Spec.Config {
		keys = append(keys, key)
	}
	return ctrl.Result{}, keep(ctx, r.Client, config(&thing, keys))
}
