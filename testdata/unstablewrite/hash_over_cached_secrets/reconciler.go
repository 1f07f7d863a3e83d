// Package controller hashes the resource versions of listed secrets in the
// cache's order.
package controller

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"

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
	var secrets corev1.SecretList
	if err := r.List(ctx, &secrets, client.InNamespace(req.Namespace)); err != nil { // want "unstablewrite: list order .*Deployment"
		return ctrl.Result{}, err
	}
	h := fnv.New64a()
	for i := range secrets.Items {
		fmt.Fprintln(h, secrets.Items[i].ResourceVersion)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "secrets-hash", strconv.FormatUint(h.Sum64(), 16))
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
