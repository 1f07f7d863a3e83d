// Package controller collects by closures and methods that it calls while it
// ranges over a map.
package controller

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ElementsAddedByAClosureAndSorted appends through a closure while it ranges
// over a map, and sorts in the end.
type ElementsAddedByAClosureAndSorted struct {
	client.Client
}

func (r *ElementsAddedByAClosureAndSorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var env []corev1.EnvVar
	add := func(name, value string) {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	for name, value := range thing.Spec.Config {
		add(strings.ToUpper(name), value)
	}
	add("NAME", thing.Name)
	slices.SortStableFunc(env, func(a, b corev1.EnvVar) int { return cmp.Compare(a.Name, b.Name) })
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// ElementsAddedByAClosure appends through a closure that is called while it
// ranges over a map.
type ElementsAddedByAClosure struct {
	client.Client
}

func (r *ElementsAddedByAClosure) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var env []corev1.EnvVar
	add := func(name, value string) {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	add("NAME", thing.Name)
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		add(strings.ToUpper(name), value)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// CollectorSortedByItsOwnMethod collects in map order and calls the collector's
// own Sort.
type CollectorSortedByItsOwnMethod struct {
	client.Client
}

type volumes struct {
	list []corev1.Volume
}

func (v *volumes) add(name string) {
	v.list = append(v.list, corev1.Volume{Name: name})
}

// Sort orders the volumes by name.
func (v *volumes) Sort() {
	sort.Slice(v.list, func(i, j int) bool { return v.list[i].Name < v.list[j].Name })
}

func (r *CollectorSortedByItsOwnMethod) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var collected volumes
	for name := range thing.Spec.Config {
		collected.add(name)
	}
	collected.Sort()
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ds, func() error {
		ds.Spec.Template.Spec.Volumes = collected.list
		return nil
	})
	return ctrl.Result{}, err
}

// ElementsAddedByAMethodOfACollector ranges over a map and lets a method append
// each element to a field.
type ElementsAddedByAMethodOfACollector struct {
	client.Client
}

type volumeCollector struct {
	list []corev1.Volume
}

func (v *volumeCollector) addConfigMap(name string) {
	source := &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}}
	v.list = append(v.list, corev1.Volume{Name: "config-" + name, VolumeSource: corev1.VolumeSource{ConfigMap: source}})
}

func (r *ElementsAddedByAMethodOfACollector) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	collected := &volumeCollector{}
	collected.addConfigMap(thing.Name)
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*DaemonSet"
		collected.addConfigMap(name)
	}
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ds, func() error {
		ds.Spec.Template.Spec.Volumes = collected.list
		return nil
	})
	return ctrl.Result{}, err
}
