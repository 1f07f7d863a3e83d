// Package controller writes the stored stamp again unless the hash is new.
package controller

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var existing corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &existing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(existing.Data["source"])))
	stamp := existing.Annotations["changed-at"]
	if existing.Annotations["hash"] != hash {
		stamp = time.Now().Format(time.RFC3339)
	}
	desired := corev1ac.ConfigMap(existing.Name, existing.Namespace).
		WithAnnotations(map[string]string{"hash": hash, "changed-at": stamp})
	return ctrl.Result{}, r.Apply(ctx, desired, client.FieldOwner("thing"), client.ForceOwnership)
}
