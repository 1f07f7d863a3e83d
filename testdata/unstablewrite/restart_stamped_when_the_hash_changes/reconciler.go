// Package controller stamps the pod template when the hash of the data differs
// from the stored one.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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
	raw, err := json.Marshal(cm.Data)
	if err != nil {
		return ctrl.Result{}, err
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(raw))
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	template := &deploy.Spec.Template
	if template.Annotations["config-hash"] != hash {
		metav1.SetMetaDataAnnotation(&template.ObjectMeta, "config-hash", hash)
		metav1.SetMetaDataAnnotation(&template.ObjectMeta, "restarted-at", time.Now().Format(time.RFC3339))
	}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
