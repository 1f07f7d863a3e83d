// Package controller hashes the data of a ConfigMap in map order; the checksum
// annotation, made to restart pods on changes, restarts them always.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	before := deploy.DeepCopy()
	if deploy.Spec.Template.Annotations == nil {
		deploy.Spec.Template.Annotations = map[string]string{}
	}
	deploy.Spec.Template.Annotations["checksum/config"] = checksum(cm.Data)
	return ctrl.Result{}, r.Patch(ctx, deploy, client.MergeFrom(before))
}

func checksum(data map[string]string) string {
	h := sha256.New()
	for k, v := range data { // want "unstablewrite: map order .*Deployment"
		h.Write([]byte(k))
		h.Write([]byte(v))
	}
	return hex.EncodeToString(h.Sum(nil))
}
