// Package controller renders templates.
package controller

import (
	"bytes"
	"context"
	"text/template"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// TemplateOverAMap renders a template that ranges over a map; text/template
// visits the keys in order.
type TemplateOverAMap struct {
	client.Client
}

var page = template.Must(template.New("conf").Parse("{{range $k, $v := .}}{{$k}}={{$v}}\n{{end}}"))

func (r *TemplateOverAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, thing.Spec.Config); err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"app.conf": out.String()}
		return nil
	})
	return ctrl.Result{}, err
}

// TemplateOverAListInMapOrder renders a template over a list, which keeps the
// order that a map gave it.
type TemplateOverAListInMapOrder struct {
	client.Client
}

type upstream struct {
	Name, Address string
}

var listPage = template.Must(template.New("conf").Parse("{{range .}}server {{.Name}} {{.Address}};\n{{end}}"))

func (r *TemplateOverAListInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var upstreams []upstream
	for name, address := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
		upstreams = append(upstreams, upstream{name, address})
	}
	var out bytes.Buffer
	if err := listPage.Execute(&out, upstreams); err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"upstreams.conf": out.String()}
		return nil
	})
	return ctrl.Result{}, err
}

// TemplateForEachOfAListInMapOrder renders one object for each element of the list. What
// the template has rendered before makes no difference.
type TemplateForEachOfAListInMapOrder struct {
	client.Client
	Page *template.Template
}

func (r *TemplateForEachOfAListInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var upstreams []upstream
	for name, address := range thing.Spec.Config {
		upstreams = append(upstreams, upstream{name, address})
	}
	for _, u := range upstreams {
		var out bytes.Buffer
		if err := r.Page.Execute(&out, u); err != nil {
			return ctrl.Result{}, err
		}
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: u.Name, Namespace: thing.Namespace}}
		_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
			cm.Data = map[string]string{"upstream.conf": out.String()}
			return nil
		})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// TemplateForAllOfAListInMapOrder renders the elements one by one, but into one object.
type TemplateForAllOfAListInMapOrder struct {
	client.Client
	Page *template.Template
}

func (r *TemplateForAllOfAListInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var out bytes.Buffer
	for name, address := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
		if err := r.Page.Execute(&out, upstream{name, address}); err != nil {
			return ctrl.Result{}, err
		}
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"upstreams.conf": out.String()}
		return nil
	})
	return ctrl.Result{}, err
}
