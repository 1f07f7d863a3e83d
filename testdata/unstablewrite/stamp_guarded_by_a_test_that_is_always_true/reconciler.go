// Package controller asks whether the stamp differs from the stored one, which
// it always does.
package controller

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	updated := cm.DeepCopy()
	metav1.SetMetaDataAnnotation(&updated.ObjectMeta, "checked-at", time.Now().Format(time.RFC3339)) // want "unstablewrite: time\\.Now .*ConfigMap"
	if !equality.Semantic.DeepEqual(&cm, updated) {
		return ctrl.Result{}, r.Update(ctx, updated)
	}
	return ctrl.Result{}, nil
}
