// Package controller deletes a pod that it chose at random; a deletion stores
// nothing.
package controller

import (
	"context"
	"math/rand"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	if len(pods.Items) < 2 {
		return ctrl.Result{}, nil
	}
	victim := &pods.Items[rand.Intn(len(pods.Items))]
	return ctrl.Result{}, client.IgnoreNotFound(r.Delete(ctx, victim))
}
