// Package controller marshals a map to JSON, whose keys come out sorted.
package controller

import (
	"context"
	"encoding/json"

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
	settings := map[string]any{"name": thing.Name, "labels": thing.Spec.Labels}
	for k, v := range thing.Spec.Config {
		settings[k] = v
	}
	raw, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return ctrl.Result{}, err
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"settings.json": string(raw)}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
