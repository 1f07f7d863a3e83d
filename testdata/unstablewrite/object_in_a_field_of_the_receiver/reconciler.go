// Package controller keeps the state of one pass in a struct: one method fills
// the object in a field of the receiver, another writes it.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

type pass struct {
	client client.Client
	thing  thingapi.Thing
	config *corev1.ConfigMap
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	p := &pass{client: r.Client}
	if err := r.Get(ctx, req.NamespacedName, &p.thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	p.config = &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, p.config); err != nil {
		return ctrl.Result{}, err
	}
	p.fill()
	return ctrl.Result{}, p.save(ctx)
}

func (p *pass) fill() {
	var lines []string
	for host, weight := range p.thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
		lines = append(lines, host+" "+weight)
	}
	p.config.Data = map[string]string{"upstreams": strings.Join(lines, "\n")}
}

func (p *pass) save(ctx context.Context) error {
	return p.client.Update(ctx, p.config)
}
