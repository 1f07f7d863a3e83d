// Package controller builds the desired Secret from the stored password, if
// there is one, and else from a new one.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	existing := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, existing); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	password, found := existing.Data["password"]
	if !found {
		password = []byte(utilrand.String(24))
	}
	desired := corev1ac.Secret(req.Name, req.Namespace).
		WithData(map[string][]byte{"user": []byte("admin"), "password": password})
	return ctrl.Result{}, r.Apply(ctx, desired, client.FieldOwner("thing"), client.ForceOwnership)
}
