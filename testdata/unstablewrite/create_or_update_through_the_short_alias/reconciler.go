// Package controller calls CreateOrUpdate by the alias in the root package of
// controller-runtime, which is a variable.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	result, err := ctrl.CreateOrUpdate(ctx, r.Client, quota, func() error {
		quota.Spec.Scopes = nil
		for scope := range thing.Spec.Labels { // want "unstablewrite: map order .*ResourceQuota"
			quota.Spec.Scopes = append(quota.Spec.Scopes, corev1.ResourceQuotaScope(scope))
		}
		return nil
	})
	log.FromContext(ctx).Info("reconciled quota", "result", result)
	return ctrl.Result{}, err
}
