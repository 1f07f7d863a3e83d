// Package controller ranges over a sync.Map, whose order is as random as that of
// a map.
package controller

import (
	"context"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	known sync.Map
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.known.Store(req.Name, struct{}{})
	var names []string
	r.known.Range(func(name, _ any) bool { // want "unstablewrite: .*ConfigMap"
		names = append(names, name.(string))
		return true
	})
	var cm corev1.ConfigMap
	if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: "inventory"}, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm.Data = map[string]string{"names": strings.Join(names, ",")}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
