// Package controller updates, with a new time, only when the spec differs.
package controller

import (
	"context"
	"maps"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	if maps.Equal(cm.Data, thing.Spec.Config) {
		return ctrl.Result{}, nil
	}
	cm.Data = maps.Clone(thing.Spec.Config)
	metav1.SetMetaDataAnnotation(&cm.ObjectMeta, "changed-at", time.Now().Format(time.RFC3339))
	return ctrl.Result{}, r.Update(ctx, &cm)
}
