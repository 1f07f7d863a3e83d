// Package controller inverts a map into lists: the JSON's keys are sorted, the
// lists inside are not.
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
	byTier := make(map[string][]string)
	for name, tier := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
		byTier[tier] = append(byTier[tier], name)
	}
	raw, err := json.Marshal(byTier)
	if err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"tiers.json": string(raw)}
	return ctrl.Result{}, r.Update(ctx, cm)
}
