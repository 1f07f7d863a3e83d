// Package controller prints a collection by its own String method.
package controller

import (
	"context"
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

// SortedInAStringMethod collects words in map order; their type sorts a copy
// when it is printed.
type SortedInAStringMethod struct {
	client.Client
}

type words []string

func (w words) String() string {
	sorted := append(words(nil), w...)
	sort.Strings(sorted)
	return strings.Join(sorted, " ")
}

func (r *SortedInAStringMethod) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var features words
	for name, on := range thing.Spec.Config {
		if on == "true" {
			features = append(features, name)
		}
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"features": features.String()}
		return nil
	})
	return ctrl.Result{}, err
}

// WordsPrintedByAStringMethod prints a set by its own String method, which does
// not sort.
type WordsPrintedByAStringMethod struct {
	client.Client
}

type wordSet map[string]bool

func (s wordSet) String() string {
	var b strings.Builder
	for word := range s { // want "unstablewrite: map order .*Deployment"
		b.WriteString(word)
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func (r *WordsPrintedByAStringMethod) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	plugins := make(wordSet)
	for _, host := range thing.Spec.Hosts {
		plugins[host] = true
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	main.Env = []corev1.EnvVar{{Name: "PLUGINS", Value: plugins.String()}}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
