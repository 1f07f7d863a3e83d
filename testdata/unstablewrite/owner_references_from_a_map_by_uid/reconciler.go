// Package controller dedupes owners by UID and writes the owner list in map
// order.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := secret.DeepCopy()
	owners := make(map[types.UID]metav1.OwnerReference)
	for _, ref := range secret.GetOwnerReferences() {
		owners[ref.UID] = ref
	}
	refs := make([]metav1.OwnerReference, 0, len(owners))
	for _, ref := range owners { // want "unstablewrite: map order .*Secret"
		refs = append(refs, ref)
	}
	secret.SetOwnerReferences(refs)
	return ctrl.Result{}, r.Patch(ctx, secret, client.MergeFrom(base))
}
