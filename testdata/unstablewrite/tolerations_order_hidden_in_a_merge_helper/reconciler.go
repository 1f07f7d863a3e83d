// Package controller merges two lists through a map to drop duplicates and
// forgets that this loses the order.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var base, extra corev1.PodTemplate
	if err := r.Get(ctx, req.NamespacedName, &base); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: "defaults"}, &extra); err != nil {
		return ctrl.Result{}, err
	}
	base.Template.Spec.Tolerations = mergeTolerations(base.Template.Spec.Tolerations, extra.Template.Spec.Tolerations)
	return ctrl.Result{}, r.Update(ctx, &base)
}

func mergeTolerations(lists ...[]corev1.Toleration) []corev1.Toleration {
	unique := map[corev1.Toleration]bool{}
	for _, list := range lists {
		for _, t := range list {
			unique[t] = true
		}
	}
	merged := make([]corev1.Toleration, 0, len(unique))
	for t := range unique { // want "unstablewrite: map order .*PodTemplate"
		merged = append(merged, t)
	}
	return merged
}
