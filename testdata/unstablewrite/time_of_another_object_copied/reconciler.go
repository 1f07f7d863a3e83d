// Package controller copies a time that another object carries.
package controller

import (
	"context"
	"strconv"
	"time"

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
	expires := thing.CreationTimestamp.Add(24 * time.Hour)
	cm.Data = map[string]string{
		"created": thing.CreationTimestamp.Format(time.RFC3339),
		"expires": strconv.FormatInt(expires.Unix(), 10),
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
