// Package controller renders a map into a string that grows in each round of a loop.
package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// PrintedAgain prints the text with one more line.
type PrintedAgain struct {
	client.Client
}

func (r *PrintedAgain) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text := "# settings\n"
	for key, value := range thing.Spec.Config { // want "unstablewrite: map order reaches ConfigMap data.settings. in CreateOrUpdate"
		text = fmt.Sprintf("%s%s=%s\n", text, key, value)
	}
	return ctrl.Result{}, write(ctx, r.Client, &thing, text)
}

// PrintedAgainByKey prints the lines in the order of their keys.
type PrintedAgainByKey struct {
	client.Client
}

func (r *PrintedAgainByKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text := "# settings\n"
	for _, key := range slices.Sorted(maps.Keys(thing.Spec.Config)) {
		text = fmt.Sprintf("%s%s=%s\n", text, key, thing.Spec.Config[key])
	}
	return ctrl.Result{}, write(ctx, r.Client, &thing, text)
}

// labels are what may be in the text besides the settings.
var labels = map[string]bool{"zone": true}

// SomeAdded adds some labels to the text. The settings stay in it.
type SomeAdded struct {
	client.Client
}

func (r *SomeAdded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text := ""
	for key, value := range thing.Spec.Config { // want "unstablewrite: map order reaches ConfigMap data.settings. in CreateOrUpdate"
		text += key + "=" + value + "\n"
	}
	for key, value := range thing.Spec.Labels {
		if _, ok := labels[key]; ok {
			text += key + "=" + value + "\n"
		}
	}
	return ctrl.Result{}, write(ctx, r.Client, &thing, text)
}

// OneLineForEach prints one line for each key.
type OneLineForEach struct {
	client.Client
}

func (r *OneLineForEach) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = make(map[string]string)
		for key, value := range thing.Spec.Config {
			line := fmt.Sprintf("%s=%s", key, value)
			line = fmt.Sprintf("%s\n", line)
			cm.Data[key] = line
		}
		return nil
	})
	return ctrl.Result{}, err
}

func write(ctx context.Context, c client.Client, thing *thingapi.Thing, text string) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, cm, func() error {
		cm.Data = map[string]string{"settings": text}
		return nil
	})
	return err
}
