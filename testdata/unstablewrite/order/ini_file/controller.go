// Package controller writes the text of an INI file, which has its keys in the order in
// which they were added.
package controller

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"gopkg.in/ini.v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Unsorted struct {
	client.Client
}

func (r *Unsorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	file := ini.Empty()
	section := file.Section("")
	for name, value := range thing.Spec.Labels { // want "unstablewrite: map order .*reaches ConfigMap data.thing\\.ini. in Update"
		if section.HasKey(name) {
			continue
		}
		if _, err := section.NewKey(name, value); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, write(ctx, r, req, file)
}

func write(ctx context.Context, c client.Client, req ctrl.Request, file *ini.File) error {
	var text bytes.Buffer
	if _, err := file.WriteTo(&text); err != nil {
		return err
	}
	var cm corev1.ConfigMap
	if err := c.Get(ctx, req.NamespacedName, &cm); err != nil {
		return err
	}
	cm.Data = map[string]string{"thing.ini": text.String()}
	return c.Update(ctx, &cm)
}

type Sorted struct {
	client.Client
}

func (r *Sorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	file := ini.Empty()
	for _, name := range slices.Sorted(maps.Keys(thing.Spec.Labels)) {
		if _, err := file.Section("").NewKey(name, thing.Spec.Labels[name]); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, write(ctx, r, req, file)
}
