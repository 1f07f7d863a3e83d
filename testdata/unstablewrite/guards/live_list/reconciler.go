// Package controller asks what the live object has before it adds to a list in
// map order.
package controller

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// MapRangeGuardedByAnEmptyLiveList fills a list in map order once, while it is
// empty.
type MapRangeGuardedByAnEmptyLiveList struct {
	client.Client
}

func (r *MapRangeGuardedByAnEmptyLiveList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if len(thing.Status.Members) == 0 {
		for name := range thing.Spec.Config {
			thing.Status.Members = append(thing.Status.Members, name)
		}
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// MissingEntriesAppendedToTheLiveList appends what the live object lacks; what
// is there stays where it is, so the next pass changes nothing.
type MissingEntriesAppendedToTheLiveList struct {
	client.Client
}

func (r *MissingEntriesAppendedToTheLiveList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var account corev1.ServiceAccount
	if err := r.Get(ctx, req.NamespacedName, &account); err != nil {
		return ctrl.Result{}, err
	}
	changed := false
	for name := range thing.Spec.Config {
		ref := corev1.LocalObjectReference{Name: name}
		if !slices.Contains(account.ImagePullSecrets, ref) {
			account.ImagePullSecrets = append(account.ImagePullSecrets, ref)
			changed = true
		}
	}
	if !changed {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Update(ctx, &account)
}

// EnvSetByNameInTheLiveContainer sets env vars by name in the container of the
// live object: what is there keeps its place.
type EnvSetByNameInTheLiveContainer struct {
	client.Client
}

func setEnv(env *[]corev1.EnvVar, name, value string) {
	for i := range *env {
		if (*env)[i].Name == name {
			(*env)[i].Value = value
			return
		}
	}
	*env = append(*env, corev1.EnvVar{Name: name, Value: value})
}

func (r *EnvSetByNameInTheLiveContainer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	for name, value := range thing.Spec.Config {
		setEnv(&main.Env, name, value)
	}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// WhatTheSpecLeavesOutIsNoGuard writes the paths of Ingresses without a default
// backend, in the order of a map. That the user leaves a part of the spec out
// does not keep the write from happening again.
//
// It reconciles Ingresses.
type WhatTheSpecLeavesOutIsNoGuard struct{ client.Client }

// Reconcile lists the annotations of an Ingress in a ConfigMap.
func (r *WhatTheSpecLeavesOutIsNoGuard) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ingress := &networkingv1.Ingress{}
	if err := r.Get(ctx, req.NamespacedName, ingress); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !isBare(ingress) {
		return ctrl.Result{}, nil
	}
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, err
	}
	var names []string
	for name := range ingress.Annotations { // want "unstablewrite: map order reaches ConfigMap"
		names = append(names, name)
	}
	val, err := json.Marshal(names)
	if err != nil {
		return ctrl.Result{}, err
	}
	if bytes.Equal(val, cm.BinaryData["names"]) {
		return ctrl.Result{}, nil
	}
	cm.BinaryData = map[string][]byte{"names": val}
	return ctrl.Result{}, r.Update(ctx, cm)
}

func isBare(ingress *networkingv1.Ingress) bool { return ingress.Spec.DefaultBackend == nil }
