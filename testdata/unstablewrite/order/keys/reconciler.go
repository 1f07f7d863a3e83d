// Package controller takes the keys of a map, sorted or not.
package controller

import (
	"context"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// KeysSortedBeforeTheRange sorts the keys of the map and ranges over those.
type KeysSortedBeforeTheRange struct {
	client.Client
}

func (r *KeysSortedBeforeTheRange) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	names := make([]string, 0, len(thing.Spec.Config))
	for name := range thing.Spec.Config {
		names = append(names, name)
	}
	sort.Strings(names)

	var args []string
	for _, name := range names {
		args = append(args, "--"+name+"="+thing.Spec.Config[name])
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Args = args
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// SlicesSortedOfMapKeys takes the keys of a map in order.
type SlicesSortedOfMapKeys struct {
	client.Client
}

func (r *SlicesSortedOfMapKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ingress networkingv1.Ingress
	if err := r.Get(ctx, req.NamespacedName, &ingress); err != nil {
		return ctrl.Result{}, err
	}
	ingress.Spec.Rules = nil
	for _, host := range slices.Sorted(maps.Keys(thing.Spec.Config)) {
		ingress.Spec.Rules = append(ingress.Spec.Rules, networkingv1.IngressRule{Host: host})
	}
	return ctrl.Result{}, r.Update(ctx, &ingress)
}

// KeysCollectedFromAnIterator collects the keys of a map from the standard
// iterator and does not sort them.
type KeysCollectedFromAnIterator struct {
	client.Client
}

func (r *KeysCollectedFromAnIterator) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := thing.DeepCopy()
	thing.Status.Members = slices.Collect(maps.Keys(thing.Spec.Config)) // want "unstablewrite: (map order|maps\\.Keys) .*Thing"
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

// KeysKeptInASliceAndLookedUpAgain keeps the keys of a map in a slice, without
// sorting them, and walks over that.
type KeysKeptInASliceAndLookedUpAgain struct {
	client.Client
}

func (r *KeysKeptInASliceAndLookedUpAgain) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	names := make([]string, 0, len(thing.Spec.Config))
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*Role"
		names = append(names, name)
	}
	rules := make([]rbacv1.PolicyRule, 0, len(names))
	for _, name := range names {
		rules = append(rules, rbacv1.PolicyRule{
			APIGroups: []string{name},
			Resources: strings.Split(thing.Spec.Config[name], ","),
			Verbs:     []string{"*"},
		})
	}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: thing.Name}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, role, func() error {
		role.Rules = rules
		return nil
	})
	return ctrl.Result{}, err
}

// KeysOfAMapJoinedIntoAnEnvVar joins the keys of a map, unsorted, into one env
// var.
type KeysOfAMapJoinedIntoAnEnvVar struct {
	client.Client
}

func (r *KeysOfAMapJoinedIntoAnEnvVar) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	job := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, job, func() error {
		job.Spec.Schedule = "@hourly"
		pod := &job.Spec.JobTemplate.Spec.Template.Spec
		pod.Containers = []corev1.Container{{
			Name: "sync",
			Env:  []corev1.EnvVar{{Name: "TOPICS", Value: topics(thing.Spec.Config)}},
		}}
		return nil
	})
	return ctrl.Result{}, err
}

func topics(config map[string]string) string {
	names := make([]string, 0, len(config))
	for name, enabled := range config { // want "unstablewrite: map order .*CronJob"
		if enabled == "true" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// FirstOfTheKeys writes the first key of a map, whichever that is.
type FirstOfTheKeys struct {
	client.Client
}

func (r *FirstOfTheKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, err
	}
	var files []string
	for file := range secret.Data { // want "unstablewrite: map order .*Thing"
		files = append(files, file)
	}
	if len(files) == 0 {
		return ctrl.Result{}, nil
	}
	thing.Status.Phase = files[0]
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// FirstOfTheSortedKeys writes the first key in order, or the only one.
type FirstOfTheSortedKeys struct {
	client.Client
}

func (r *FirstOfTheSortedKeys) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, err
	}
	files := slices.Collect(maps.Keys(secret.Data))
	switch {
	case len(files) == 0:
		return ctrl.Result{}, nil
	case len(files) > 1:
		sort.Strings(files)
	}
	thing.Status.Phase = files[0]
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// TheOnlyKey writes the key of a map that has one.
type TheOnlyKey struct {
	client.Client
}

func (r *TheOnlyKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, err
	}
	if files := slices.Collect(maps.Keys(secret.Data)); len(files) == 1 {
		thing.Status.Phase = files[0]
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
