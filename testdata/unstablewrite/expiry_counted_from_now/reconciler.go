// Package controller moves an expiry forward on each pass, in seconds since the
// epoch.
package controller

import (
	"context"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret.Data["expires"] = expiry(24 * time.Hour)
	return ctrl.Result{}, r.Update(ctx, &secret)
}

func expiry(ttl time.Duration) []byte {
	at := time.Now().Add(ttl) // want "unstablewrite: time\\.Now .*Secret"
	return strconv.AppendInt(nil, at.Unix(), 10)
}
