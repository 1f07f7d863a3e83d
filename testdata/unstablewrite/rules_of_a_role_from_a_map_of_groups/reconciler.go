// Package controller grants the resources of each API group; the groups come in
// map order, the resources of one group in the order of a slice.
package controller

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

var grants = map[string][]string{
	"":     {"configmaps", "secrets"},
	"apps": {"deployments"},
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, role, func() error {
		role.Rules = nil
		for group, resources := range grants { // want "unstablewrite: map order .*Role"
			for _, res := range resources {
				role.Rules = append(role.Rules, rbacv1.PolicyRule{
					APIGroups: []string{group},
					Resources: []string{res},
					Verbs:     []string{"get", "list", "watch"},
				})
			}
		}
		return nil
	})
	return ctrl.Result{}, err
}
