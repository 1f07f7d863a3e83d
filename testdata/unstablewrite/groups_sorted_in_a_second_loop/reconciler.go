// Package controller groups in map order, sorts each group in a second loop and
// marshals the map.
package controller

import (
	"context"
	"encoding/json"
	"sort"

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
	groups := map[string][]string{}
	for name, group := range thing.Spec.Config {
		groups[group] = append(groups[group], name)
	}
	for group := range groups {
		sort.Strings(groups[group])
	}
	raw, err := json.Marshal(groups)
	if err != nil {
		return ctrl.Result{}, err
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"groups.json": string(raw)}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
