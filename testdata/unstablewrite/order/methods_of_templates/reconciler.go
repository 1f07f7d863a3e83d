// Package controller renders templates that call methods of their data.
package controller

import (
	"bytes"
	"context"
	_ "embed"
	"slices"
	"text/template"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var (
	//go:embed servers.conf.tmpl
	serversText string
	serversPage = parsed("servers", serversText)

	//go:embed sorted.conf.tmpl
	sortedText string
	sortedPage = parsed("sorted", sortedText)
)

func parsed(name, text string) *template.Template {
	return template.Must(template.New(name).Parse(text))
}

type servers map[string]string

// Names is called in servers.conf.tmpl.
func (s servers) Names() []string {
	var names []string
	for name := range s { // want in the module "unstablewrite: map order .*ConfigMap"
		names = append(names, name)
	}
	return names
}

// InOrder is called in sorted.conf.tmpl.
func (s servers) InOrder() []string {
	names := s.Names()
	slices.Sort(names)
	return names
}

func apply(ctx context.Context, c client.Client, thing *thingapi.Thing, text string) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, cm, func() error {
		cm.Data = map[string]string{"app.conf": text}
		return nil
	})
	return err
}

// Unsorted renders the names in the order of the map.
type Unsorted struct {
	client.Client
}

type values struct {
	Servers servers
}

func (r *Unsorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var out bytes.Buffer
	if err := serversPage.Execute(&out, &values{Servers: thing.Spec.Config}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, apply(ctx, r.Client, &thing, out.String())
}

// Sorted renders them in their own order. Its data has no field of the other template.
type Sorted struct {
	client.Client
}

type sortedValues struct {
	Upstreams servers
}

func (r *Sorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var out bytes.Buffer
	if err := sortedPage.Execute(&out, &sortedValues{Upstreams: thing.Spec.Config}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, apply(ctx, r.Client, &thing, out.String())
}
