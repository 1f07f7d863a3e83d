// Package controller takes the keys of a map by generic functions.
package controller

import (
	"cmp"
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	expmaps "golang.org/x/exp/maps"
	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// KeysSortedByAnOwnGenericFunction has a generic function for sorted keys.
type KeysSortedByAnOwnGenericFunction struct {
	client.Client
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (r *KeysSortedByAnOwnGenericFunction) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Args = sortedKeys(thing.Spec.Config)
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// KeysByAnOwnGenericFunction has the generic Keys that every project once
// wrote.
type KeysByAnOwnGenericFunction struct {
	client.Client
}

func keys[K comparable, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m { // want "unstablewrite: map order .*Deployment"
		out = append(out, k)
	}
	return out
}

func (r *KeysByAnOwnGenericFunction) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Args = keys(thing.Spec.Config)
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// KeysFromTheExperimentalMapsPackage takes the keys of a map with x/exp's
// maps.Keys, which returns a slice in map order.
type KeysFromTheExperimentalMapsPackage struct {
	client.Client
}

func (r *KeysFromTheExperimentalMapsPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Command = command(thing.Spec.Config)
	return ctrl.Result{}, r.Update(ctx, deploy)
}

func command(config map[string]string) []string {
	return append([]string{"/manager", "--"}, expmaps.Keys(config)...) // want "unstablewrite: (map order|maps\\.Keys) .*Deployment"
}
