// Package controller shuffles the servers in the rendered config to spread load,
// and thereby reloads the proxies on each pass.
package controller

import (
	"context"
	"math/rand"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hosts := slices.Clone(thing.Spec.Hosts)
	rand.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] }) // want "unstablewrite: rand\\.Shuffle .*ConfigMap"
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"servers": strings.Join(hosts, "\n")}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
