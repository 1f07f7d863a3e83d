// Package controller renders a new cluster id whenever it renders the config.
package controller

import (
	"context"
	"fmt"

	"github.com/google/uuid"
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
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{
		"cluster.yaml": fmt.Sprintf("name: %s\nid: %s\n", thing.Name, uuid.New().String()), // want "unstablewrite: uuid\\.New .*ConfigMap"
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
