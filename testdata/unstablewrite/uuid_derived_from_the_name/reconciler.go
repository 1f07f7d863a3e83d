// Package controller derives a UUID from the object's own UID, the same on each
// pass.
package controller

import (
	"context"

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
	id := uuid.NewSHA1(uuid.NameSpaceDNS, []byte(thing.UID))
	cm.Data = map[string]string{"cluster-id": id.String()}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
